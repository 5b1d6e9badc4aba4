#pragma once

#include <concepts>
#include <type_traits>

#include "vinculum/lang/ast.hpp"
#include "vinculum/lang/expression_parser.hpp"
#include "vinculum/lang/keywords.hpp"
#include "vinculum/lang/usual_mistakes.hpp"
#include "vinculum/lang/view_reader.hpp"

/// The grammar of statements and clauses after their keyword, each written once. `io` is one of three objects: the
/// parser's reader, which fills the node; the formatter's writer, which prints the node; or a walk over the node's
/// names and expressions. Constructs that these treat differently are members of `io`. Code in `if constexpr` is for
/// readers only.
namespace vinculum::lang {

template <class T, class Node>
concept Is = std::same_as<std::remove_const_t<T>, Node>;

template <class Io>
inline constexpr bool kReads = std::remove_reference_t<Io>::kReads;

/// Keywords of statements, in the order of StatementNode.
inline constexpr std::string_view kKeywordOfNode[] = {
    "model",  "source",     "param",   "coord",     "speed",       "let",        "frame",    "point",   "particle",
    "force",  "gravity",    "spring",  "potential", "generalized", "constraint", "output",   "start",   "run",
    "expect", "body",       "torque",  "joint",     "reveal",      "for",        "if",       "include", "component",
    "use",    "lagrangian", "state",   "conserve",  "view",        "shape",      "surface",  "rod",     "coil",
    "axes",   "trace",      "arrow",   "color",     "hide",        "no",         "friction", "event",   "terminate",
    "input",  "limits",     "capsule", "mesh",      "label",       "camera",     "damper"};
static_assert(std::size(kKeywordOfNode) == std::variant_size_v<StatementNode>);

inline constexpr std::string_view kPointOrParticle = "a point or a particle";
inline constexpr std::string_view kPointForms =
    "a point of the ground is `point O fixed in N`, any other one is set off from a point: `point P = O + x*N.x`";
inline constexpr std::string_view kFormOfSpring = "a spring acts between two points: `spring P Q stiffness k length l`";
inline constexpr std::string_view kFormOfDamper = "a damper acts between two points: `damper P Q damping c`";
inline constexpr std::string_view kPlaceIsASum = "a place is a sum: `O + x*N.x + y*N.y`";

/// An option of a statement: a word and its value. The word may consist of two words, such as `max step`.
template <class Value>
struct Option {
  std::string_view word;
  Value& value;
  std::string_view what = {};  ///< describes the expected name in messages, if the value is a name
};
template <class Value>
Option(std::string_view, Value&, std::string_view = {}) -> Option<Value>;

// model = "model" NAME [ STRING ]
void syntax(auto& io, Is<ModelStatement> auto& s) { io.word(s.name, "the name of the model").title(s.title).end(); }

// source = "source" STRING
void syntax(auto& io, Is<SourceStatement> auto& s) { io.text(s.text, "a string", "write source \"…\"").end(); }

// param = "param" family "=" expression [ unit ] { "," family "=" expression [ unit ] }
void syntax(auto& io, Is<ParamStatement> auto& s) {
  io.items(s.items, [](auto& each, auto& item) {
      if constexpr (kReads<decltype(io)>) each.expect_unit_last("param");
      each.family(item.name, "the name of a parameter").sets().value(item.value, item.unit);
    }).end();
}

// coord = "coord" group { "," group }      group = family { "," family } [ unit ] [ "scale" expression ]
void syntax(auto& io, Is<CoordStatement> auto& s) { io.groups(s.groups).end(); }

// speed = "speed" declared "=" expression [ unit ] { "," declared "=" expression [ unit ] }
void syntax(auto& io, Is<SpeedStatement> auto& s) {
  io.items(s.items, [](auto& each, auto& item) {
      if constexpr (kReads<decltype(io)>) each.expect_unit_last("speed");
      each.declared(item.name, "the name of a speed").sets().value(item.definition, item.unit);
    }).end();
}

// let = "let" declared [ "(" NAME { "," NAME } ")" ] "=" expression
void syntax(auto& io, Is<LetStatement> auto& s) {
  io.declared(s.name, "a name");
  bool is_function = !s.parameters.empty();
  if constexpr (kReads<decltype(io)>) is_function = begins_arguments_of_let(io.cursor(), s.name);
  if (is_function) io.parameters(s.parameters, "");
  io.equals().expression(s.value).end({}, "one `let` a line");
}

// frame = "frame" declared ( "newtonian" | "=" reference ( "rotated" expression "about" expression
//                                                        | SEQUENCE "(" expression "," expression "," expression ")"
//                                                        | "quaternion" "(" reference { "," reference } ")"
//                                                        | "axes" AXIS expression "," AXIS expression ) )
void syntax(auto& io, Is<FrameNewtonian> auto&) { io.key("newtonian"); }
void syntax(auto& io, Is<FrameRotated> auto& s) {
  io.parent(s.parent).key("rotated");
  if constexpr (kReads<decltype(io)>) io.expect_one_angle(s.parent);
  io.expression(s.angle);
  io.key("about", "a rotation has an axis: `rotated a about z`").axis(s.axis);
}
void syntax(auto& io, Is<FrameSequence> auto& s) {
  io.parent(s.parent).sequence(s.sequence).arguments(s.angles).counts(s.angles.size(), 3, "angles");
}
void syntax(auto& io, Is<FrameQuaternion> auto& s) {
  io.parent(s.parent).key("quaternion").arguments(s.coordinates);
  io.counts(s.coordinates.size(), 4, "coordinates, the first that of the angle");
}
void syntax(auto& io, Is<FrameAxes> auto& s) {
  io.parent(s.parent).key("axes").letter(s.first_axis).expression(s.first).comma();
  io.letter(s.second_axis, &s.first_axis).expression(s.second);
}
void syntax(auto& io, Is<FrameStatement> auto& s) {
  io.declared(s.name, "the name of a frame");
  if constexpr (kReads<decltype(io)>) s.definition = io.definition_of_frame();
  std::visit([&](auto& definition) { syntax(io, definition); }, s.definition);
  if constexpr (kReads<decltype(io)>) expect_one_rotation(io.cursor(), s);
  io.end();
}

// point = "point" declared ( "fixed" "in" reference | [ "on" reference ] "=" expression )
void syntax(auto& io, Is<PointFixed> auto& s) { io.key("fixed").key("in").reference(s.frame, "a frame"); }
void syntax(auto& io, Is<PointAt> auto& s) {
  io.option("on", s.on, "a body");
  if constexpr (kReads<decltype(io)>) {
    if (!s.on && !io.cursor().is_at("="))
      io.cursor().fail_expected("`fixed in`, `on` or `=`", std::string(kPointForms));
    if (io.cursor().is_at("=") && io.cursor().peek(1).is_name("fixed") && io.cursor().peek(2).is_name("in"))
      io.cursor().fail_expected("`fixed in`", std::string(kPointForms));
  }
  io.equals().expression(s.position);
}
void syntax(auto& io, Is<PointStatement> auto& s) {
  io.declared(s.name, "the name of a point");
  if constexpr (kReads<decltype(io)>) {
    if (!io.cursor().is_at_word("fixed")) s.definition = PointAt{};
  }
  std::visit([&](auto& definition) { syntax(io, definition); }, s.definition);
  if constexpr (kReads<decltype(io)>) expect_no_place_of_fixed_point(io.cursor(), s.name);
  io.end({}, std::string(kPlaceIsASum));
}

// particle = "particle" declared "mass" expression "at" expression
void syntax(auto& io, Is<ParticleStatement> auto& s) {
  io.declared(s.name, "the name of a particle")
      .key("mass", "a particle has a mass, then its place: `particle P mass m at O + …`");
  io.expression(s.mass).key("at", "a particle has a place: `particle P mass m at O + …`").expression(s.position);
  io.end({}, std::string(kPlaceIsASum));
}

// solid = NAME "(" expression { "," expression } [ "," "axis" expression ] ")" [ "axis" expression ]
void syntax_of_solid(auto& io, Is<BodyStatement> auto& s) {
  io.word(*s.solid, "a solid").sizes(s.inertia, s.solid_axis);
  if constexpr (kReads<decltype(io)>) {
    io.option("axis", s.solid_axis);
    expect_inertia_about_center(io.cursor());
  }
}

// body = "body" declared "frame" reference ( "mass" | "density" ) expression
//        "inertia" ( "(" expression { "," expression } ")" [ unit ] | "plane" expression | solid )
//        ( "at" expression [ "about" reference ] | "about" reference "at" expression )
void syntax(auto& io, Is<BodyStatement> auto& s) {
  constexpr std::string_view kAbout = "the point that the inertia is about";
  io.declared(s.name, "the name of a body").key("frame").reference(s.frame, "the frame that is fixed in the body");
  if (io.begins("density", s.density != nullptr))
    io.expression(s.density);
  else
    io.part("mass").expression(s.mass);
  if constexpr (kReads<decltype(io)>) {
    expect_one_of_mass_and_density(io.cursor());
    if (io.cursor().is_at_word("at") || io.cursor().is_at_word("about") || io.cursor().is_at_end())
      io.cursor().fail_expected(
          "`inertia`",
          "a body has an inertia: `inertia (Ixx, Iyy, Izz)`, `inertia plane Izz` in plane motion, "
          "or that of a solid, `inertia box(a, b, c)`; without one it is a `particle`");
  }
  io.part("inertia");
  if constexpr (kReads<decltype(io)>) {
    if (is_at_solid(io.cursor(), s.density != nullptr)) s.solid.emplace();
  }
  if (s.solid)
    syntax_of_solid(io, s);
  else if (io.flag("plane", s.is_plane))
    io.only(s.inertia);
  else
    io.inertia(s.inertia).unit(s.inertia_unit);
  if constexpr (kReads<decltype(io)>) io.option("about", s.about, kAbout);
  io.part("at").expression(s.position);
  if constexpr (kReads<decltype(io)>) {
    if (s.solid) expect_inertia_about_center(io.cursor());
  }
  io.option("about", s.about, kAbout).end({"about"});
}

// force = "force" "on" reference "=" expression { "at" expression | "from" reference }
void syntax(auto& io, Is<ForceStatement> auto& s) {
  io.key("on", "a force acts on something: `force on P = …`").reference(s.point, kPointOrParticle);
  if constexpr (kReads<decltype(io)>) expect_place_after_force(io.cursor(), s.point);
  io.equals().expression(s.force);
  io.options(Option{"at", s.at}, Option{"from", s.from, kPointOrParticle}).end({"at", "from"});
}

// torque = "torque" "on" reference "=" expression [ "from" reference ]
void syntax(auto& io, Is<TorqueStatement> auto& s) {
  io.key("on", "a torque acts on something: `torque on B = …`")
      .reference(s.body, "a body")
      .equals()
      .expression(s.torque)
      .option("from", s.from, "a body");
  if constexpr (kReads<decltype(io)>) expect_no_place_of_torque(io.cursor());
  io.end({"from"});
}

// gravity = "gravity" expression
void syntax(auto& io, Is<GravityStatement> auto& s) {
  io.expression(s.acceleration);
  if constexpr (kReads<decltype(io)>) expect_no_name_of_gravity(io.cursor());
  io.end();
}

// spring = "spring" reference reference { ("stiffness" | "length" | "damping") expression }
void syntax(auto& io, Is<SpringStatement> auto& s) {
  if constexpr (kReads<decltype(io)>) io.expect_no_preposition(kFormOfSpring);
  io.reference(s.first, kPointOrParticle);
  if constexpr (kReads<decltype(io)>) io.expect_second_end(kFormOfSpring);
  io.reference(s.second, "a second point or particle");
  io.options(Option{"stiffness", s.stiffness}, Option{"length", s.length}, Option{"damping", s.damping});
  if constexpr (kReads<decltype(io)>) {
    if (io.cursor().is_at_end() && s.stiffness == nullptr) io.cursor().fail_expected("`stiffness`");
    if (io.cursor().is_at_end() && s.length == nullptr)
      io.cursor().fail_expected("`length`",
                                "a spring states the length at which it exerts no force: `length l`; with `length 0` "
                                "its force is the stiffness times the vector between its ends");
  }
  io.end({"stiffness", "length", "damping"});
}

// damper = "damper" reference reference "damping" expression
void syntax(auto& io, Is<DamperStatement> auto& s) {
  if constexpr (kReads<decltype(io)>) io.expect_no_preposition(kFormOfDamper);
  io.reference(s.first, kPointOrParticle);
  if constexpr (kReads<decltype(io)>) io.expect_second_end(kFormOfDamper);
  io.reference(s.second, "a second point or particle").key("damping", kFormOfDamper).expression(s.damping);
  if constexpr (kReads<decltype(io)>) expect_no_stiffness_of_damper(io.cursor());
  io.end();
}

// potential = "potential" expression
void syntax(auto& io, Is<PotentialStatement> auto& s) { io.expression(s.energy).end(); }

// lagrangian = "lagrangian" expression
void syntax(auto& io, Is<LagrangianStatement> auto& s) { io.expression(s.L).end(); }

// generalized-force = "generalized" "force" "on" reference "=" expression
void syntax(auto& io, Is<GeneralizedForceStatement> auto& s) {
  constexpr std::string_view kForm =
      "the force on a coordinate, a torque where it is an angle, is `generalized force on q = EXPR`";
  io.key("force", kForm).key("on", kForm).reference(s.coordinate, "a coordinate").equals().expression(s.force).end();
}

// friction-on = "friction" "on" reference "=" expression { "static" expression | "viscous" expression }
void syntax(auto& io, Is<FrictionStatement> auto& s) {
  if constexpr (kReads<decltype(io)>) expect_friction_of_coordinate(io.cursor());
  io.key("on",
         "dry friction acts along a coordinate: `friction on q = BOUND`; the friction of a joint is indented below it");
  io.reference(s.coordinate, "a coordinate");
  io.equals().expression(s.bound).options(Option{"static", s.static_bound}, Option{"viscous", s.viscous});
  io.end({"static", "viscous"});
}

// state = "state" declared ( "'" | [ unit ] "every" expression ) "=" expression [ "start" declared "=" expression ]
void syntax(auto& io, Is<StateStatement> auto& s) {
  io.before_unit(s.name, "the name of a state");
  if (io.is_sampled(s)) {
    io.unit(s.unit).key("every").expression(s.period);
  } else {
    io.prime(s.name);
  }
  io.equals().expression(s.rate);
  if (io.begins("start", s.start != nullptr)) io.again(s.name).equals().expression(s.start);
  io.end({"start"});
}

// input = "input" declared [ unit ] [ "=" expression ]
void syntax(auto& io, Is<InputStatement> auto& s) {
  io.before_unit(s.name, "the name of an input").unit(s.unit);
  if (io.has_value(s)) io.expression(s.value);
  io.end({}, "an input is `input u [unit] = EXPR`, one a line");
}

// event  = "event" declared ":" ( expression "=" expression [ "rising" | "falling" ] | ( "at" | "every" ) expression )
//          ( action | "{" { action } "}" )
// action = "stop" | "record" | "set" variable "=" expression
void syntax(auto& io, Is<EventStatement> auto& s) {
  using Trigger = EventStatement::Trigger;
  io.declared(s.name, "the name of the event").colon("an event has a name: `event e: EXPR = 0 stop`");
  if (io.trigger(s) == Trigger::kCrossing) {
    if constexpr (kReads<decltype(io)>) io.expect_crossing();
    io.expression(s.left).equals(s.left).expression(s.right);
    if (!io.flag("rising", s.is_rising)) (void)io.flag("falling", s.is_falling);
  } else {
    io.expression(s.left);
  }
  io.actions(s).end({}, "several actions are written in braces, one a line");
}
void syntax(auto&, Is<StopAction> auto&) {}
void syntax(auto&, Is<RecordAction> auto&) {}
void syntax(auto& io, Is<SetAction> auto& a) { io.variable(a.target).equals().expression(a.value); }

// terminate = "terminate" "when" expression
void syntax(auto& io, Is<TerminateStatement> auto& s) { io.key("when").expression(s.condition).end(); }

// constraint = "constraint" declared ":" relation { clause }
// relation   = expression "=" expression [ "along" expression { "," expression } ] | sum ( ">=" | "<=" ) sum
void syntax(auto& io, Is<ConstraintStatement> auto& s) {
  io.declared(s.name, "the name of the constraint").colon("a constraint has a name: `constraint c: … = …`");
  io.relation(s);
  if (io.begins("along", !s.along.empty())) io.expressions(s.along);
  io.clauses(s);
  if constexpr (kReads<decltype(io)>) expect_clause(io.cursor());
  io.end({"along", "law", "nonideal", "friction", "via", "branch", "when", "restitution", "compliance"});
}

// joint = "joint" declared ":" NAME "between" joined "of" reference "and" joined "of" reference { option } { clause }
// joined = reference | "center" "(" reference ")"
// option = ( "axis" | "axis2" | "ratio" | "pitch" | "length" | "radius" | "prescribed" ) expression | surface
void syntax(auto& io, Is<JointStatement> auto& s) {
  constexpr std::string_view kHolds =
      "a joint connects a point of one body to a point of another: `between P of A and Q of B`";
  io.declared(s.name, "the name of the joint");
  io.colon("a joint has a name and a kind: `joint j: revolute between P of A and Q of B axis A.z`");
  io.word(s.kind, "the kind of the joint");
  constexpr std::string_view kSide = "a body, a frame or a particle";
  io.key("between", kHolds).joined(s.first_point).key("of", kHolds).reference(s.first_body, kSide);
  io.key("and").joined(s.second_point).key("of", kHolds).reference(s.second_body, kSide);
  io.parts(Option{"surface", s.surface}, Option{"axis", s.axis}, Option{"surface2", s.surface2},
           Option{"axis2", s.axis2}, Option{"ratio", s.ratio}, Option{"pitch", s.pitch}, Option{"length", s.length},
           Option{"radius", s.radius}, Option{"prescribed", s.prescribed});
  if constexpr (kReads<decltype(io)>) io.expect_option_of_joint();
  io.clauses(s);
  if constexpr (kReads<decltype(io)>) expect_clause(io.cursor());
  io.end({"axis", "axis2", "ratio", "pitch", "length", "radius", "surface", "surface2", "prescribed", "law", "nonideal",
          "friction", "via", "when", "limits", "restitution", "compliance"});
}

// limits = "limits" [ declared ] "of" reference "=" bounds
// bounds = [ expression ] ".." [ expression ] [ restitution ]           with at least one of the two expressions
void syntax(auto& io, Is<LimitsStatement> auto& s) {
  constexpr std::string_view kForm = "limits of a coordinate are `limits of q = a .. b`";
  if (io.is_named(s.name)) io.declared(*s.name, "the name of the limits");
  io.key("of", kForm).reference(s.coordinate, "a coordinate");
  if constexpr (kReads<decltype(io)>) {
    const bool is_rate = io.cursor().peek().kind == TokenKind::kPrimes;
    if (!io.cursor().is_at("="))
      io.cursor().fail_expected("`=`", is_rate ? "only positions have limits: name a coordinate" : std::string(kForm));
  }
  syntax(io.equals(), s.limits);
  if constexpr (kReads<decltype(io)>) expect_no_friction_of_limits(io.cursor());
  io.end({"restitution"});
}

// reveal = "reveal" declared ":" ( "force" | "torque" ) "on" reference "along" expression { "," expression }
void syntax(auto& io, Is<RevealStatement> auto& s) {
  io.declared(s.name, "the name of the revealed forces");
  io.colon("a revealed force has a name: `reveal R: force on P along N.x`").load(s.is_torque).key("on");
  io.reference(s.target, s.is_torque ? "a body" : kPointOrParticle);
  if constexpr (kReads<decltype(io)>) {
    if (io.cursor().is_at("("))
      io.cursor().fail_expected("`along`", "a name is needed here; the name of a body means its mass centre");
  }
  io.key("along").expressions(s.along).end();
}

// output = "output" declared "=" expression [ "in" reference ] [ "as" unit ]
void syntax(auto& io, Is<OutputStatement> auto& s) {
  if constexpr (kReads<decltype(io)>) io.expect_no_unit_of_output();
  io.declared(s.name, "the name of an output");
  if constexpr (kReads<decltype(io)>) {
    if (io.cursor().is_at("(") || io.cursor().is_at_end())
      io.cursor().fail_expected("`=`", "an output has a name: `output NAME = …`");
  }
  io.equals().expression(s.value).option("in", s.frame, "a frame");
  if (io.begins("as", s.unit.has_value())) io.unit(s.unit);
  if constexpr (kReads<decltype(io)>) io.expect_unit_behind_as(s.unit.has_value());
  io.end({"in", "as"});
}

// start = "start" item { "," item }
// item = variable ("=" | "~") ( expression [ unit ] | "rotated" expression "about" expression )
void syntax(auto& io, Is<StartStatement> auto& s) {
  io.items(s.items, [](auto& each, auto& item) {
    each.variable(item.variable).sets(item.kind);
    if (!each.turns(item.axis != nullptr)) return void(each.value(item.value, item.unit));
    each.expression(item.value).key("about").axis(item.axis);
  });
  if constexpr (kReads<decltype(io)>) {
    if (io.cursor().is_at("=") || io.cursor().is_at("~"))
      io.cursor().fail_expected("`,` or the end of the statement",
                                "start values are separated by commas: `start x = 1, y ~ 2`");
  }
  io.end();
}

// run = "run" expression { "step" expression | "max" "step" expression | "tolerance" expression | "method" NAME
//       | "formulation" NAME }
//       [ "independent" expression { "," expression } ]
void syntax(auto& io, Is<RunStatement> auto& s) {
  if constexpr (kReads<decltype(io)>) io.expect_length_of_run();
  io.unless_word(s.duration, {"step", "max step", "tolerance", "method", "formulation", "independent"},
                 "how long to run", "write `run 10 [s] …`");
  io.options(Option{"step", s.step}, Option{"max step", s.max_step}, Option{"tolerance", s.tolerance},
             Option{"method", s.method, "a method"},
             Option{"formulation", s.formulation, "explicit, augmented or minimal"});
  if (io.begins("independent", !s.independent.empty())) io.expressions(s.independent);
  io.end({"step", "max step", "tolerance", "method", "formulation", "independent"});
}

// conserve = "conserve" expression { "," expression }
void syntax(auto& io, Is<ConserveStatement> auto& s) {
  io.items(s.invariants, [](auto& each, auto& one) { each.expression(one); }).end();
}

// expect = "expect" "stop" ":" KIND [ "at" expression plus-minus expression ]
//        | "expect" ( "always" | "at" ( "start" | "end" | expression ) ) ":" claim
// claim = expression "=" expression plus-minus expression | expression      (the latter compares)
void syntax(auto& io, Is<ExpectStop> auto& s) {
  io.key("stop").colon().kind_of_stop(s.kind);
  if (io.begins("at", s.time != nullptr))
    io.expression(s.time, ExpressionEnd::kPlusMinus).plus_minus().expression(s.tolerance);
  io.end({"at"});
}
void syntax(auto& io, Is<ExpectValue> auto& s) {
  io.when(s).colon().expression(s.left, ExpressionEnd::kPlusMinus);
  if (io.claims_equality(s)) io.expression(s.right, ExpressionEnd::kPlusMinus).plus_minus().expression(s.tolerance);
  io.end();
}
void syntax(auto& io, Is<ExpectStatement> auto& s) {
  if constexpr (kReads<decltype(io)>) {
    if (io.cursor().is_at_word("stop")) s.what = ExpectStop{};
  }
  std::visit([&](auto& what) { syntax(io, what); }, s.what);
}

// for-head = "for" NAME "in" expression ".." expression
void syntax(auto& io, Is<ForStatement> auto& s) {
  constexpr std::string_view kHint = "an index runs over a range: `for i in 1..3 { … }`";
  io.word(s.variable, "a name for the index").key("in", kHint).range(s.from, s.to, kHint).opens("for");
}

// choice = "if" expression "{" { statement } "}" [ "else" ( choice | "{" { statement } "}" ) ]
void syntax(auto& io, Is<IfStatement> auto& s) { io.expression(s.condition).opens("if"); }

// include = "include" STRING
void syntax(auto& io, Is<IncludeStatement> auto& s) {
  io.text(s.file, "the name of a file in quotes", "write include \"…\"", &s.file_range).end();
}

// component-head = "component" NAME "(" [ NAME { "," NAME } ] ")"
void syntax(auto& io, Is<ComponentStatement> auto& s) {
  io.word(s.name, "the name of the component");
  io.parameters(s.parameters, "a component has arguments, perhaps none: `component leg(n, r) { … }`")
      .opens("component");
}

// use = "use" NAME "(" [ expression { "," expression } ] ")" "as" declared
void syntax(auto& io, Is<UseStatement> auto& s) {
  io.word(s.component, "the name of a component");
  io.arguments(s.arguments, "a component is used with its arguments, perhaps none: `use leg(1) as left`");
  io.key("as").declared(s.as, "a name for this use of the component").end();
}

// view-head = "view"
void syntax(auto& io, Is<ViewStatement> auto&) { io.opens("view"); }

// shape = ( "shape" | "surface" ) reference "=" KIND "(" expression { "," expression } [ "," "axis" expression ] ")"
//         { "at" reference | "color" COLOR }
void syntax_of_shape(auto& io, auto& s) {
  io.reference(s.target, "a body, a frame, a point or a particle").equals().word(s.kind, "the kind of a shape");
  io.sizes(s.sizes, s.axis).options(Option{"at", s.at, "a point"}, Option{"color", s.colour}).end({"at", "color"});
}
void syntax(auto& io, Is<ShapeStatement> auto& s) { syntax_of_shape(io, s); }
void syntax(auto& io, Is<SurfaceStatement> auto& s) { syntax_of_shape(io, s); }

// link = ( "rod" | "coil" | "capsule" ) reference reference { "radius" expression | "color" COLOR }
void syntax_of_link(auto& io, auto& s) {
  io.reference(s.first, kPointOrParticle).reference(s.second, "a second point or particle");
  io.options(Option{"radius", s.radius}, Option{"color", s.colour}).end({"radius", "color"});
}
void syntax(auto& io, Is<RodStatement> auto& s) { syntax_of_link(io, s); }
void syntax(auto& io, Is<CoilStatement> auto& s) { syntax_of_link(io, s); }
void syntax(auto& io, Is<CapsuleStatement> auto& s) { syntax_of_link(io, s); }

// mesh = "mesh" STRING "on" reference { "at" reference | "scale" expression | "color" COLOR }
void syntax(auto& io, Is<MeshStatement> auto& s) {
  constexpr std::string_view kForm = "write `mesh \"part.stl\" on B`";
  io.text(s.file, "the name of an STL file in quotes", std::string(kForm), &s.file_range).key("on", kForm);
  io.reference(s.target, "a body, a frame, a point or a particle");
  io.options(Option{"at", s.at, "a point"}, Option{"scale", s.scale}, Option{"color", s.colour});
  io.end({"at", "scale", "color"});
}

// label = "label" reference STRING [ "color" COLOR ]
void syntax(auto& io, Is<LabelStatement> auto& s) {
  io.reference(s.target, kPointOrParticle).text(s.text, "the text in quotes", "write `label P \"text\"`");
  io.options(Option{"color", s.colour}).end({"color"});
}

// camera = "camera" "follow" reference
void syntax(auto& io, Is<CameraStatement> auto& s) {
  io.key("follow", "write `camera follow B`").reference(s.target, "a body, a point or a particle").end();
}

// axes = "axes" reference { "at" reference | "length" expression }
void syntax(auto& io, Is<AxesStatement> auto& s) {
  io.reference(s.frame, "a frame or a body");
  io.options(Option{"at", s.at, "a point"}, Option{"length", s.length}).end({"at", "length"});
}

// trace = "trace" reference { "," reference } [ "color" COLOR ]
void syntax(auto& io, Is<TraceStatement> auto& s) {
  io.items(s.points, [](auto& each, auto& one) { each.reference(one, kPointOrParticle); });
  io.options(Option{"color", s.colour}).end({"color"});
}

// arrow = "arrow" expression { "at" reference | "color" COLOR }
void syntax(auto& io, Is<ArrowStatement> auto& s) {
  io.expression(s.value).options(Option{"at", s.at, "a point"}, Option{"color", s.colour}).end({"at", "color"});
}

// color = "color" reference "=" COLOR { "," reference "=" COLOR }
void syntax(auto& io, Is<ColourStatement> auto& s) {
  io.items(s.items, [](auto& each, auto& item) {
      each.reference(item.target, "a body, a point, a particle or a constraint").sets();
      if constexpr (kReads<decltype(io)>) {
        if (take_colour_code(each.cursor(), item.colour)) return;
      }
      each.word(item.colour, "a color");
    }).end();
}

// hide = "hide" reference { "," reference }
void syntax(auto& io, Is<HideStatement> auto& s) {
  io.items(s.targets, [](auto& each, auto& one) {
      each.reference(one, "a body, a point, a particle or a constraint");
    }).end();
}

// no = "no" NAME
void syntax(auto& io, Is<NoStatement> auto& s) { io.word(s.word, "`ground`, `rods` or `traces`").end(); }

// nonideal = "nonideal" "on" reference "=" expression [ "from" reference ]
void syntax(auto& io, Is<NonidealClause> auto& c) {
  io.key("on").reference(c.target, "a point, a particle, a body or a coordinate").equals().expression(c.value);
  io.option("from", c.from, "a point, a particle or a body");
}

// friction = "friction" [ "on" reference ] "mu" "=" expression { "static" expression | "from" reference | "sliding"
// expression }
void syntax(auto& io, Is<FrictionClause> auto& c) {
  constexpr std::string_view kKind = "a point, a particle or a body",
                             kForm = "friction on P mu = EXPR [static EXPR] [from Q] [sliding VEC]";
  if (io.begins("on", !c.target.text.empty())) io.reference(c.target, kKind);
  io.given("mu", kForm).expression(c.mu);
  io.options(Option{"static", c.static_mu}, Option{"from", c.from, kKind}, Option{"sliding", c.sliding});
}

// given-friction = "friction" expression { "static" expression | "viscous" expression }
void syntax(auto& io, Is<GivenFrictionClause> auto& c) {
  if constexpr (kReads<decltype(io)>) expect_bound_of_friction(io.cursor());
  io.expression(c.bound).options(Option{"static", c.static_bound}, Option{"viscous", c.viscous});
}

// via = "via" actuator { "," actuator }
// actuator = ( "force" | "torque" ) "on" reference { "along" expression | "from" reference | "scale" expression }
void syntax(auto& io, Is<ViaItem> auto& item) {
  io.load(item.is_torque, "an actuator acts along one direction: `via force on P along N.x, force on P along N.y`");
  const std::string_view kind = item.is_torque ? "a body" : kPointOrParticle;
  io.key("on").reference(item.target, kind);
  io.options(Option{"from", item.from, kind}, Option{"along", item.along}, Option{"scale", item.scale});
  if constexpr (kReads<decltype(io)>) {
    if (item.along == nullptr) io.key("along");
  }
}
void syntax(auto& io, Is<ViaClause> auto& c) {
  io.items(c.items, [](auto& each, auto& item) { each.ranged(item, [&] { syntax(each, item); }); });
}

// branch = "branch" expression
void syntax(auto& io, Is<BranchClause> auto& c) { io.expression(c.condition); }

// when = "when" expression
void syntax(auto& io, Is<WhenClause> auto& c) { io.expression(c.condition); }

// restitution = "restitution" expression [ "energetic" | "newton" | "poisson" | "moreau" ] [ "sequential" ]
void syntax(auto& io, Is<RestitutionClause> auto& c) {
  if constexpr (kReads<decltype(io)>) expect_coefficient_of_restitution(io.cursor());
  io.expression(c.value).one_of(c.law, {"energetic", "newton", "poisson", "moreau"});
  if constexpr (kReads<decltype(io)>) expect_law_of_restitution(io.cursor());
  io.flag("sequential", c.is_sequential);
}

// compliance = "compliance" expression
void syntax(auto& io, Is<ComplianceClause> auto& c) { io.expression(c.value); }

// limits-of-joint = "limits" bounds
void syntax(auto& io, Is<LimitsClause> auto& c) {
  io.bounds(c.lower, c.upper);
  if (!io.begins("restitution", c.restitution.has_value())) return;
  if constexpr (kReads<decltype(io)>) c.restitution.emplace();
  syntax(io, *c.restitution);
}

// clause-choice = "if" expression "{" { clause } "}" [ "else" ( clause-choice | "{" { clause } "}" ) ]
void syntax(auto& io, Is<ClauseChoice> auto& c) { io.expression(c.condition).branches(c); }

// law = "law" NAME { argument } [ "start" start { "," start } ], the arguments of its form
// argument = WORD [ "=" ] expression { "," expression }
// start = WORD [ primes ] "=" expression { "," expression }
void syntax(auto& io, Is<LawClause> auto& c) { io.law(c); }

}  // namespace vinculum::lang
