#include "vinculum/elaborate/check/contact_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "vinculum/elaborate/check/relation_check.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/model/ground.hpp"
#include "vinculum/model/kinematic_tree.hpp"
#include "vinculum/model/requirements.hpp"
#include "vinculum/model/sliding.hpp"
#include "vinculum/model/surface_contact.hpp"
#include "vinculum/model/traversal.hpp"
#include "vinculum/reaction_laws/hints.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using model::Term;

const NumberRule kRestitutionRule = {[](double e) { return e >= 0.0 && e <= 1.0; }, " is a number from 0 to 1",
                                     "0: the bodies do not separate after the impact; 1: no energy is lost"};
const NumberRule kComplianceRule = {
    [](double compliance) { return compliance > 0.0; }, " must be positive",
    "only ratios matter: write `compliance 1` at contacts that yield alike, and no clause at a rigid contact"};
const NumberRule kFrictionRule = {[](double bound) { return bound >= 0.0; }, " must not be negative",
                                  "friction acts against the motion; state a force along it as a separate load"};

RuleProblem not_finite(std::string_view what) { return {Kind::kBadValue, std::string(what) + " is a finite number"}; }

RuleProblem reaction_in_relation() {
  return {Kind::kNotAllowedHere, "multipliers and forces of constraints cannot be used in the relation of a constraint",
          "a relation contains positions, velocities and accelerations; a law of forces is a `nonideal` clause"};
}

std::optional<RuleProblem> number_problem(model::Model& model, Term value, const NumberRule& rule,
                                          std::string_view what) {
  const double number = model::TermValues(model, {}).scalar(value).value;
  if (!std::isfinite(number)) return not_finite(what);
  const std::string message = std::string(what) + std::string(rule.ending);
  if (!rule.holds(number)) return RuleProblem{Kind::kBadValue, message, std::string(rule.hint)};
  model::require(model, {value}, [holds = rule.holds](std::span<const double> x) { return holds(x[0]); }, message);
  return std::nullopt;
}

std::optional<RuleProblem> gap_problem(TermFacts& facts, Term gap, const std::string& constraint, bool is_guessed) {
  if (!gap.is_valid() || gap.is_vector())
    return RuleProblem{Kind::kWrongKind, "a relation with `>=` or `<=` is between two scalars",
                       "state one constraint for each component"};
  const std::string name = "`" + constraint + "`";
  const model::Level level = facts.level(gap);
  if (level != model::Level::kPosition)
    return RuleProblem{
        Kind::kNotAllowedHere,
        name + " is of " + std::string(model::to_string(level)) +
            " level; a relation with `>=` or `<=` limits a gap, which contains positions and the time only",
        "a force that acts on one side only is a load: `force on P = (F if CONDITION else 0)`"};
  if ((facts.holds(gap) & kHoldsStates) != 0)
    return RuleProblem{Kind::kNotAllowedHere,
                       name + " contains a state; a relation with `>=` or `<=` contains positions and the time only"};
  if (!is_guessed && (facts.holds(gap) & kHoldsCoordinates) == 0)
    return RuleProblem{Kind::kContradiction,
                       "the gap of " + name + " contains no coordinate, so no force can keep it from closing",
                       "a relation with `>=` or `<=` limits coordinates; a condition on parameters is an `expect`"};
  return std::nullopt;
}

RuleProblem one_friction_only() {
  return {Kind::kNotSupported, "a constraint with `>=` or `<=` has one `friction`",
          "state one constraint for each point of contact"};
}

RuleProblem no_other_clauses(std::string_view hint) {
  return {Kind::kNotSupported,
          "a constraint with `>=` or `<=` has no other clauses than `restitution`, `friction` and `compliance` in this "
          "version",
          std::string(hint)};
}

RuleProblem no_other_clauses(const lang::Clause& clause) {
  if (std::holds_alternative<lang::LawClause>(clause.what))
    return no_other_clauses(
        "its law is the ideal one, and laws of impacts follow `restitution`; a contact that gives way is a load: "
        "`force "
        "on P = (k*d if d > 0 else 0)*N.z`, with the depth d");
  if (std::holds_alternative<lang::WhenClause>(clause.what))
    return no_other_clauses("leave the clause out: the constraint acts while its gap is closed");
  return no_other_clauses(kOtherForces);
}

RuleProblem friction_needs_point() {
  return {Kind::kWrongArgumentCount, "friction with a coefficient names its point",
          "write `friction on P mu = …`; only a joint `contact` knows its point of contact"};
}

std::optional<RuleProblem> static_friction_problem(model::Model& model, Term mu, Term at_rest) {
  model::TermValues now(model, {});
  const double slides = now.scalar(mu).value, rests = now.scalar(at_rest).value;
  if (!(rests < slides)) return std::nullopt;
  return RuleProblem{Kind::kDoubtfulFriction,
                     fmt::format("the coefficient `static` is {:.6g}, below `mu` = {:.6g}: friction at rest is weaker "
                                 "than friction of sliding",
                                 rests, slides),
                     "`static` is the coefficient at rest, `mu` that of sliding; without `static` they are equal"};
}

namespace {

/// What to write for the point of the other side. The points of a body that turns have different velocities, so there
/// the point of contact is meant, not the one that the gap names.
std::string from_other_side(const model::Model& model, model::KinematicTree& tree, const std::string& of,
                            model::PointId other) {
  const auto carrier = tree.carrier_of(other);
  if (!carrier || model.body(*carrier).frame == model::kNewtonian)
    return "`friction on " + of + " mu = … from " + model.point(other).name + "`";
  const std::string axis = model.frame(model::kNewtonian).name + ".x";
  return "`point S on " + model.body(*carrier).name + " = " + of + " + 0*" + axis + "` and `friction on " + of +
         " mu = … from S`";
}

}  // namespace

std::optional<RuleProblem> missing_other_side(const model::Model& model, TermFacts& facts,
                                              const model::Constraint& constraint, model::PointId point) {
  model::KinematicTree& tree = facts.tree();
  const std::string& of = model.point(point).name;
  const auto is_carried_alike = [&](model::PointId other) {
    const auto carrier = tree.carrier_of(other);
    return carrier && carrier == tree.carrier_of(point);
  };
  const auto moves_otherwise = [&](model::PointId other) {
    return other != point && tree.of_motion(other, model::kNewtonian).on_coordinates &&
           !tree.of_separation(other, point, model::kNewtonian).is_none() && !is_carried_alike(other);
  };
  for (const Term leaf : model::leaves_as_read(constraint.rows.front())) {
    if (leaf.kind() != model::TermKind::kPosition) continue;
    for (const model::PointId other : {model::PointId(leaf.index()), model::PointId(leaf.second())}) {
      if (!moves_otherwise(other)) continue;
      return RuleProblem{Kind::kDoubtfulFriction,
                         "`" + model.point(other).name + "` on the other side of the gap of `" + constraint.name +
                             "` moves, and the friction on `" + of + "` uses the velocity relative to the ground",
                         "state the point of the other side: " + from_other_side(model, tree, of, other) +
                             "; if the ground is meant, write `sliding vel(" + of + ")`"};
    }
  }
  return std::nullopt;
}

RuleProblem contact_finds_point() {
  return {Kind::kNotAllowedHere, "a joint `contact` finds its point of contact", "write `friction mu = EXPR`"};
}

std::optional<RuleProblem> unilateral_model_problem(const model::Model& model, TermFacts& facts,
                                                    const std::string& unilateral) {
  const auto depends_on_reactions = [&](const model::Nonideal& one) {
    const Term force = std::visit(
        [](const auto& stated) {
          if constexpr (requires { stated.torque; })
            return stated.torque;
          else
            return stated.force;
        },
        one.stated);
    return (facts.holds(force) & kHoldsMultipliers) != 0;
  };
  for (std::size_t i = 0; i < model.constraints.size(); ++i) {
    const model::Constraint& one = model.constraints[i];
    const std::string name = "constraint `" + one.name + "`", impact = "an impact of `" + unilateral + "`";
    if (!one.law->has_ideal_impulses(model, model::ConstraintId(i)))
      return RuleProblem{Kind::kNotSupported,
                         "the law `" + std::string(one.law->word()) + "` of " + name +
                             " does not determine the impulse that the constraint exerts in " + impact,
                         std::string(reaction_laws::kHintOfImpulses)};
    if (!one.unilateral && std::ranges::any_of(one.nonideal, depends_on_reactions))
      return RuleProblem{Kind::kNotSupported,
                         "a force of " + name + " depends on its reaction, so it has an impulse in " + impact +
                             ", which this version does not compute",
                         "use friction with a given bound, `friction BOUND` of a joint or `friction on q = BOUND`, or "
                         "a force of coordinates and speeds"};
  }
  return std::nullopt;
}

std::optional<RuleProblem> limit_problem(TermFacts& facts, Term limit, const std::string& of) {
  if (facts.holds(limit) == kHoldsNothing) return std::nullopt;
  return RuleProblem{Kind::kNotAllowedHere,
                     "a limit of " + of + " contains numbers and parameters only, so that it does not move",
                     "a stop that moves is a relation: `constraint NAME: EXPR >= VALUE`"};
}

std::optional<RuleProblem> limit_order_problem(model::Model& model, Term lower, Term upper, const std::string& of) {
  model::TermValues now(model, {});
  const double least = now.scalar(lower).value, greatest = now.scalar(upper).value;
  if (!(least < greatest))
    return RuleProblem{Kind::kBadValue, "the lower limit of " + of + " is not below its upper limit",
                       least == greatest
                           ? "a quantity that keeps one value is a constraint: `constraint NAME: EXPR = VALUE`"
                           : "write the smaller value first: `a .. b`"};
  model::require(
      model, {lower, upper}, [](std::span<const double> x) { return x[0] < x[1]; },
      "the lower limit of " + of + " must be below its upper limit");
  return std::nullopt;
}

std::optional<RuleProblem> force_place_problem(TermFacts& facts, model::PointId point,
                                               std::optional<model::PointId> other, const std::string& name,
                                               bool guesses_places) {
  if (other == point) return RuleProblem{Kind::kBadValue, "a force and its opposite act on the same point"};
  const auto moves = [&](model::PointId one) {
    return guesses_places || facts.tree().of_motion(one, model::kNewtonian).on_coordinates;
  };
  if (moves(point) || (other && moves(*other))) return std::nullopt;
  return RuleProblem{Kind::kNotAllowedHere, "no coordinate moves `" + name + "`, so a force on it has no effect"};
}

std::optional<RuleProblem> sliding_problem(const model::Model& model, Term sliding) {
  if (model::is_sliding_velocity(model, sliding)) return std::nullopt;
  return RuleProblem{Kind::kBadValue, std::string(kSliding) + " contains no velocity",
                     "write `sliding vel(P) - vel(Q)`, the velocity of the sliding part relative to the other part"};
}

std::optional<RuleProblem> surface_axis_problem(model::SurfaceKind kind) {
  const model::SurfaceInfo& info = model::surface_info(kind);
  if (info.has_axis) return std::nullopt;
  const bool is_round = kind == model::SurfaceKind::kSphere || kind == model::SurfaceKind::kHollowSphere;
  return RuleProblem{
      Kind::kNotAllowedHere, "a " + std::string(info.name) + " has no axis",
      std::string("leave the axis out") + (is_round ? "" : "; its edges or semi-axes are along x, y, z of its body")};
}

std::optional<RuleProblem> polygon_problem(model::Model& model, TermFacts& facts, model::FrameId frame,
                                           const std::vector<Term>& corners) {
  model::TermPool& pool = *model.terms;
  std::vector<Term> measures;
  for (const Term corner : corners)
    for (int k = 0; k < 3; ++k) measures.push_back(pool.dot(corner, pool.basis_vector(frame, k)));
  model::Instant any;  // the corners are constant in the frame
  any.q.assign(model.coordinates.size(), 0.5);
  any.q_dot = any.q_ddot = any.q;
  model::TermValues now(model, any);
  std::vector<double> numbers;
  for (const Term x : measures) numbers.push_back(now.scalar(x).value);
  if (!model::is_convex(numbers))
    return RuleProblem{Kind::kBadValue, "the corners are not those of a plane convex polygon",
                       "list them in their order around it, without corners inside or on an edge; a concave shape "
                       "consists of several contacts"};
  if (std::ranges::all_of(measures, [&](Term x) { return facts.holds(x) == kHoldsNothing; }))
    model::require(
        model, measures, [](std::span<const double> x) { return model::is_convex(x); }, "a polygon must be convex");
  return std::nullopt;
}

std::optional<RuleProblem> one_plane_problem(const model::Model& model, TermFacts& facts,
                                             const std::vector<Term>& first, const std::vector<Term>& second) {
  model::TermPool& pool = *model.terms;
  const auto normal = [&](const std::vector<Term>& corners) {
    return pool.cross(corners.at(1) - corners.at(0), corners.at(2) - corners.at(0));
  };
  const Term n1 = normal(first), n2 = normal(second), across = pool.cross(n1, n2);
  RelationCheck relations(model, facts);
  for (int k = 0; k < 3; ++k) {
    const Term row = pool.dot(across, pool.basis_vector(model::kNewtonian, k));
    if (row.is_zero()) continue;
    if (relations.judge(row, pool.norm(n1) * pool.norm(n2)).verdict != RelationVerdict::kTrivial)
      return RuleProblem{Kind::kNotSupported,
                         "two polygons touch only in a motion in their plane: these do not stay in one plane",
                         "corners of bodies in space touch planes, spheres and grounds; state other gaps as relations"};
  }
  return std::nullopt;
}

std::optional<RuleProblem> height_problem(TermFacts& facts, Term height, const std::array<Term, 3>& place) {
  const Term zero = height.pool().number(0.0);
  if (facts.holds(model::height_at(height, place, {zero, zero, zero})) != kHoldsNothing)
    return RuleProblem{Kind::kNotAllowedHere, "the height of a ground contains numbers, parameters and its place only",
                       "the place is `x`, `y`, `z`, along the axes of the body from its point; a ground that moves "
                       "belongs to a body that moves"};
  return std::nullopt;
}

RuleProblem corner_moves(const std::string& body) {
  return {Kind::kNotAllowedHere, "a corner of a polygon is a vector fixed in `" + body + "`",
          "write it in the vectors of that body"};
}

RuleProblem contact_without_coordinate(const std::string& name) {
  return {Kind::kContradiction, "the gap of `" + name + "` contains no coordinate",
          "the two surfaces do not move relative to each other along the gap: state another `axis`, or leave the "
          "contact out"};
}

}  // namespace vinculum::elaborate
