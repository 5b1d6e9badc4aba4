#include "vinculum/lang/keywords.hpp"

#include <algorithm>

namespace vinculum::lang {
namespace {

constexpr KeywordInfo kStatements[] = {
    {"model", Support::kYes, "model NAME \"title\"", "name and title of the model"},
    {"source", Support::kYes, "source \"text\"", "where the model or its numbers come from"},
    {"param", Support::kYes, "param p = VALUE [unit], ...", "constants"},
    {"coord", Support::kYes, "coord q1, q2 [unit] [scale EXPR]", "generalized coordinates"},
    {"speed", Support::kYes, "speed u = EXPR [unit], ...", "generalized speeds by their definition"},
    {"let", Support::kYes, "let NAME [(x, ...)] = EXPR", "a name for an expression, or a function"},
    {"frame", Support::kYes,
     "frame N newtonian | frame B = A rotated EXPR about AXIS | frame B = A body123(e1, e2, e3) | "
     "frame B = A quaternion(e0, e1, e2, e3) | frame B = A axes x VEC, y VEC",
     "a reference frame"},
    {"point", Support::kYes, "point O fixed in N | point P [on B] = O + VEC", "a point"},
    {"particle", Support::kYes, "particle P mass m at POINTEXPR", "a point with mass"},
    {"body", Support::kYes,
     "body B frame F mass m inertia (Ixx, Iyy, Izz [, Ixy, Iyz, Izx]) [unit] | plane Izz | SOLID at POINTEXPR [about "
     "P]",
     "a rigid body"},
    {"force", Support::kYes, "force on P = VEC [at POINTEXPR] [from Q]", "a given force"},
    {"torque", Support::kYes, "torque on B = VEC [from A]", "a given torque on a body"},
    {"gravity", Support::kYes, "gravity VEC", "the same acceleration on all masses"},
    {"spring", Support::kYes, "spring P Q stiffness k length l [damping c]", "a linear spring between two points"},
    {"damper", Support::kYes, "damper P Q damping c", "a viscous damper between two points"},
    {"potential", Support::kYes, "potential EXPR", "a potential energy"},
    {"lagrangian", Support::kYes, "lagrangian EXPR", "a model by its Lagrangian"},
    {"generalized", Support::kYes, "generalized force on q1 = EXPR", "a force that works on one coordinate"},
    {"friction", Support::kYes, "friction on q = BOUND [static BOUND] [viscous c]",
     "dry friction of a given bound along one coordinate"},
    {"constraint", Support::kYes, "constraint NAME: LHS = RHS [along VEC, ...] | constraint NAME: LHS >= RHS",
     "an equation, or a limit of a gap, that the motion obeys"},
    {"state", Support::kYes, "state z' = EXPR [start z = EXPR] | state z [unit] every T = EXPR [start z = EXPR]",
     "an extra first-order state"},
    {"joint", Support::kYes, "joint NAME: KIND between P of A and Q of B ...", "constraints of a joint between bodies"},
    {"limits", Support::kYes, "limits [NAME] of q = a .. b [restitution e ...]",
     "limits of a coordinate: stops that it bounces off or rests at"},
    {"reveal", Support::kYes, "reveal NAME: force|torque on P|B along VEC, ...",
     "embedded constraint forces on request"},
    {"output", Support::kYes, "output NAME = EXPR [in FRAME] [as [unit]]", "columns of the result"},
    {"start", Support::kYes, "start q = EXPR [unit], u ~ EXPR, B = rotated EXPR about AXIS",
     "initial conditions, exact or guessed"},
    {"run", Support::kYes,
     "run T [s] [step EXPR] [max step EXPR] [tolerance EXPR] [method NAME] [formulation NAME] [independent u, ...]",
     "how long and how to integrate"},
    {"conserve", Support::kYes, "conserve energy, momentum(q), EXPR, ...", "invariants kept by projection"},
    {"input", Support::kYes, "input u [unit] [= EXPR]", "a quantity given by a program or a file"},
    {"event", Support::kYes,
     "event NAME: EXPR = 0 [rising|falling] ACTION | at T ACTION | every T ACTION; ACTION: stop, record, set u = EXPR, "
     "or several in braces",
     "actions at an instant of the motion"},
    {"terminate", Support::kYes, "terminate when CONDITION", "where the run ends"},
    {"sweep", Support::kLater, "sweep p from a to b count n", "ensembles of runs",
     "a run for one value is `vinculum run MODEL --set p=VALUE`"},
    {"expect", Support::kYes,
     "expect at T|end|start: EXPR = VALUE +- TOL | expect always: EXPR < VALUE | expect stop: KIND at T +- TOL",
     "a test that the model carries"},
    {"for", Support::kYes, "for i in a..b { ... }", "repetition while the model is built"},
    {"if", Support::kYes, "if EXPR { ... } else if EXPR { ... } else { ... }", "choice while the model is built"},
    {"view", Support::kYes, "view { ... }", "what a drawing of the motion shows"},
    {"include", Support::kYes, "include \"file\"", "statements of another file"},
    {"component", Support::kYes, "component NAME(args) { ... }", "a reusable part of models"},
    {"use", Support::kYes, "use NAME(args) as x", "one use of a component"},
};

constexpr KeywordInfo kClauses[] = {
    {"law", Support::kYes, "law NAME ...", "which reaction keeps the constraint"},
    {"nonideal", Support::kYes, "nonideal on P = VEC [from Q]", "a reaction force that does work"},
    {"friction", Support::kYes,
     "friction [on P] mu = EXPR [static EXPR] [from Q] [sliding VEC] | friction BOUND [static BOUND] [viscous c]",
     "dry friction with the actual reaction; of a joint with a given bound"},
    {"via", Support::kYes, "via force on P along VEC [from Q] [scale EXPR], torque on B [from A] along VEC, ...",
     "actuators that keep the constraint"},
    {"branch", Support::kYes, "branch EXPR > 0", "which of several accelerations the motion takes"},
    {"when", Support::kYes, "when CONDITION", "the constraint acts while the condition is true"},
    {"restitution", Support::kYes, "restitution e [energetic | newton | poisson | moreau] [sequential]",
     "the impact of a unilateral constraint when its gap closes"},
    {"limits", Support::kYes, "limits a .. b [restitution e ...]",
     "limits of the advance or the angle of a joint with one degree of freedom"},
    {"compliance", Support::kYes, "compliance EXPR",
     "ratio in which contacts yield, which makes forces of redundant contacts unique"},
};

constexpr KeywordInfo kViewItems[] = {
    {"shape", Support::kYes, "shape B = KIND(SIZE, ... [, axis VEC]) [at P] [color COLOR]",
     "the shape of a body, a frame, a point or a particle; several lines make one shape"},
    {"surface", Support::kYes, "surface F = KIND(SIZE, ... [, axis VEC]) [at P] [color COLOR]",
     "a shape that is seen through: a floor, a bowl"},
    {"rod", Support::kYes, "rod P Q [radius EXPR] [color COLOR]", "a rod from a point to another"},
    {"coil", Support::kYes, "coil P Q [radius EXPR] [color COLOR]", "a spring from a point to another"},
    {"capsule", Support::kYes, "capsule P Q [radius EXPR] [color COLOR]", "a rod with round ends"},
    {"mesh", Support::kYes, "mesh \"FILE.stl\" on B [at P] [scale EXPR] [color COLOR]",
     "the shape of a body or a frame, from a file that only the drawing reads"},
    {"axes", Support::kYes, "axes F [at P] [length EXPR]", "x, y and z of a frame"},
    {"trace", Support::kYes, "trace P, ... [color COLOR]", "the path of points; no other paths are drawn then"},
    {"arrow", Support::kYes, "arrow force(c, P) | arrow torque(c, B) | arrow VEC at P [color COLOR]",
     "a vector; of the forces of constraints these alone are on at first"},
    {"color", Support::kYes, "color B = COLOR, ...", "the color of bodies, points, particles, constraints"},
    {"label", Support::kYes, "label P \"TEXT\" [color COLOR]", "a text at a point, a particle or a body"},
    {"camera", Support::kYes, "camera follow B", "the camera moves with a body, a point or a particle"},
    {"hide", Support::kYes, "hide B, ...", "bodies, points and particles not drawn; constraints off at first"},
    {"no", Support::kYes, "no ground | no rods | no traces", "leave out items that are drawn by default"},
};

constexpr std::string_view kWordOperators[] = {"and", "or", "not", "if", "else"};
constexpr std::string_view kConnectives[] = {"in", "on", "at", "from", "along", "about"};

const KeywordInfo* find(std::span<const KeywordInfo> table, std::string_view word) {
  const auto row = std::ranges::find(table, word, &KeywordInfo::word);
  return row == table.end() ? nullptr : &*row;
}

}  // namespace

std::span<const KeywordInfo> statement_table() { return kStatements; }
std::span<const KeywordInfo> clause_table() { return kClauses; }
std::span<const KeywordInfo> view_table() { return kViewItems; }

const KeywordInfo* find_statement(std::string_view word) { return find(kStatements, word); }
const KeywordInfo* find_clause(std::string_view word) { return find(kClauses, word); }
const KeywordInfo* find_view_item(std::string_view word) { return find(kViewItems, canonical_word(word)); }

std::string_view canonical_word(std::string_view word) { return word == "colour" ? "color" : word; }

std::span<const std::string_view> word_operators() { return kWordOperators; }
std::span<const std::string_view> connectives() { return kConnectives; }

bool is_word_operator(std::string_view word) {
  return std::ranges::find(kWordOperators, word) != std::end(kWordOperators);
}

bool is_connective(std::string_view word) {
  return is_word_operator(word) || std::ranges::find(kConnectives, word) != std::end(kConnectives);
}

bool is_reserved(std::string_view word) { return word == "t" || word == "pi" || is_word_operator(word); }

}  // namespace vinculum::lang
