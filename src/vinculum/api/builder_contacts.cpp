#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "vinculum/api/builder_own.hpp"
#include "vinculum/elaborate/check/joint_clauses.hpp"
#include "vinculum/elaborate/check/joint_rules.hpp"
#include "vinculum/elaborate/check/reaction_rules.hpp"
#include "vinculum/elaborate/check/scope.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/surface_contact.hpp"
#include "vinculum/model/unilateral.hpp"
#include "vinculum/reaction_laws/law.hpp"

// Unilateral constraints, limits, contacts and friction of models that a program builds. The rules and messages are
// those of model texts: elaborate/check/contact_rules.hpp, joint_rules.hpp, joint_clauses.hpp and reaction_rules.hpp.
namespace vinculum {
namespace {

using diag::Kind;
using elaborate::NumberRule;
using elaborate::TermFacts;

constexpr std::uint8_t kOfFriction = elaborate::kMotionState | elaborate::kHoldsStates | elaborate::kHoldsInputs;

/// Whether a term depends on these variables only (elaborate::Holds); reports an error otherwise.
bool may_contain(Builder::Own& own, model::Term term, std::uint8_t allowed, std::string_view what) {
  const model::Model& model = own.builder.model();
  const auto problem = elaborate::not_allowed_of(TermFacts(model).holds(term), allowed, !model.states.empty());
  if (!problem) return true;
  complain(own, Kind::kNotAllowedHere,
           fmt::format("`{}` {}, but {} may contain {}", model::to_text(model, term), problem->found, what,
                       problem->may_hold),
           "");
  return false;
}

/// The value of a clause; invalid after a mistake. A value that changes along the motion is checked during the run.
model::Term clause_value(Builder::Own& own, Term stated, std::uint8_t allowed, const NumberRule& rule,
                         std::string_view what) {
  const model::Term term = in(stated);
  if (!is_scalar_of(own, term, std::string(what)) || !may_contain(own, term, allowed, what)) return {};
  model::Model& model = own.builder.model();
  if (TermFacts(model).holds(term) != elaborate::kHoldsNothing) return term;
  const auto problem = elaborate::number_problem(model, term, rule, what);
  if (problem) complain(own, *problem);
  return problem ? model::Term{} : term;
}

/// The properties of a unilateral constraint, without its state; nothing after a mistake.
std::optional<model::Unilateral> properties_of(Builder::Own& own, const Restitution& restitution, Term compliance) {
  using Law = model::RestitutionLaw;
  constexpr std::array<Law, 4> kLaws = {Law::kEnergetic, Law::kNewton, Law::kPoisson, Law::kMoreau};
  model::Unilateral result;
  result.law = kLaws.at(static_cast<std::size_t>(restitution.law));
  result.is_sequential = restitution.is_sequential;
  result.restitution = restitution.e.is_valid() ? clause_value(own, restitution.e, elaborate::kHoldsNothing,
                                                               elaborate::kRestitutionRule, elaborate::kRestitution)
                                                : own.builder.number(0.0);
  bool is_right = result.restitution.is_valid();
  if (compliance.is_valid()) {
    result.compliance =
        clause_value(own, compliance, elaborate::kHoldsNothing, elaborate::kComplianceRule, elaborate::kCompliance);
    is_right = result.compliance.is_valid() && is_right;
  }
  return is_right ? std::optional(result) : std::nullopt;
}

/// \pre `friction.mu` is stated
std::optional<model::FrictionCoefficients> coefficients_of(Builder::Own& own, const Friction& friction) {
  const auto read = [&](Term stated, std::string_view what) {
    return clause_value(own, stated, kOfFriction, elaborate::kFrictionRule, what);
  };
  model::FrictionCoefficients result{read(friction.mu, elaborate::kFriction), {}};
  if (friction.static_mu.is_valid()) {
    result.at_rest = read(friction.static_mu, elaborate::kStaticFriction);
    if (!result.at_rest.is_valid()) return std::nullopt;
  }
  return result.mu.is_valid() ? std::optional(result) : std::nullopt;
}

bool is_stated(const Friction& friction) { return friction.mu.is_valid() || friction.static_mu.is_valid(); }

/// Whether `mu` is stated; reports an error otherwise.
bool has_mu(Builder::Own& own, const Friction& friction) {
  if (friction.mu.is_valid()) return true;
  complain(own, Kind::kWrongArgumentCount, "`friction` needs a coefficient `mu`", "0 means a smooth contact");
  return false;
}

/// Whether a term can be the gap of a unilateral constraint.
bool is_gap(Builder::Own& own, model::Term gap, const std::string& name) {
  if (!gap.is_valid() || &gap.pool() != &own.builder.terms()) {
    complain(own, Kind::kBadValue, "the gap of `" + name + "` is not a term of this builder",
             "make it by functions of the builder");
    return false;
  }
  TermFacts facts(own.builder.model());
  const bool holds_reactions = (facts.holds(gap) & elaborate::kHoldsMultipliers) != 0;
  const auto problem =
      holds_reactions ? std::optional(elaborate::reaction_in_relation()) : elaborate::gap_problem(facts, gap, name);
  if (problem) complain(own, *problem);
  return !problem;
}

bool is_coordinate(const Builder::Own& own, model::Term term) {
  return term.is_valid() && &term.pool() == own.builder.model().terms.get() &&
         term.kind() == model::TermKind::kCoordinate && term.order() == 0;
}

bool has_constraint(const model::Model& model, const std::string& name) {
  return std::ranges::find(model.constraints, name, &model::Constraint::name) != model.constraints.end();
}

/// Adds `OWNER.min` or `OWNER.max`. A constraint with this name is an error; the name of the one that replaces it is
/// then another one.
Builder::Constraint limit_without_effect(Builder::Own& own, std::string name) {
  while (has_constraint(own.builder.model(), name)) name += "'";
  return without_effect(own, std::move(name));
}

/// Whether the two surfaces can touch, and have axes only where these have an effect.
bool may_touch(Builder::Own& own, const model::JointSpec& joint, const JointParts& parts) {
  model::Model& model = own.builder.model();
  bool is_right = true;
  if (const auto problem = elaborate::surface_pair_problem(joint.surface, joint.surface2)) {
    complain(own, problem->kind, problem->message, problem->hint);
    is_right = false;
  }
  const auto check = [&](model::SurfaceKind kind, bool has_axis, model::FrameId frame,
                         const std::vector<model::Term>& lengths) {
    TermFacts facts(model);
    auto problem = has_axis ? elaborate::surface_axis_problem(kind) : std::nullopt;
    if (!problem && kind == model::SurfaceKind::kPolygon)
      problem = elaborate::polygon_problem(model, facts, frame, lengths);
    if (problem) complain(own, *problem);
    is_right = !problem && is_right;
  };
  check(joint.surface, parts.axis.is_valid(), joint.first_body, joint.surface_lengths);
  check(joint.surface2, parts.axis2.is_valid(), joint.second_body, joint.surface2_lengths);
  if (!is_right || joint.surface != model::SurfaceKind::kPolygon || joint.surface2 != model::SurfaceKind::kPolygon)
    return is_right;
  TermFacts facts(model);
  const auto problem = elaborate::one_plane_problem(model, facts, joint.surface_lengths, joint.surface2_lengths);
  if (problem) complain(own, *problem);
  return !problem;
}

/// Whether friction of the constraint can act on the point. `acts_at` is the point on which the constraint exerts its
/// force.
bool takes_friction_on(Builder::Own& own, model::ConstraintId id, model::PointId point,
                       std::optional<model::PointId> from, model::PointId& acts_at) {
  const model::Model& model = own.builder.model();
  TermFacts facts(model);
  acts_at = point;
  auto problem = elaborate::force_place_problem(facts, point, from, model.point(point).name);
  if (!problem) problem = elaborate::point_force_problem(facts, model, id, acts_at);
  if (!problem && model::acts_by_coordinates(model, id, acts_at))
    problem = elaborate::reaction_of_coordinates_problem(model, id);
  if (problem) complain(own, *problem);
  return !problem;
}

/// The velocity of sliding; invalid after a mistake.
model::Term sliding_of(Builder::Own& own, Term stated, model::PointId point, std::optional<model::PointId> from) {
  model::ModelBuilder& b = own.builder;
  model::Term sliding = in(stated);
  if (!stated.is_valid()) {
    sliding = b.vel(point);
    if (from) sliding = sliding - b.vel(*from);
  } else if (&sliding.pool() != &b.terms() || !sliding.is_vector()) {
    complain(own, Kind::kWrongKind, std::string(elaborate::kSliding) + " is a vector of this builder", "");
    return {};
  } else if (!may_contain(own, sliding, elaborate::kMotionState, elaborate::kSliding)) {
    return {};
  }
  const auto problem = elaborate::sliding_problem(b.model(), sliding);
  if (problem) complain(own, *problem);
  return problem ? model::Term{} : sliding;
}

/// A quantity with limits.
struct Limited {
  std::string owner;  ///< the constraints are `owner.min` and `owner.max`
  std::string of;     ///< the quantity in messages: "`q`", "the angle of `hinge`"
  std::string text;   ///< the quantity in the text of the constraints: "q", "angle of hinge"
  Dimension dimension;
  model::Term rate = {};  ///< scalar of velocity level that inspection reads instead of the gap; invalid: none
};

/// Whether the limits are numbers in their order, and their names are free.
bool are_limits(Builder::Own& own, const Limits& limits, const Limited& one) {
  model::Model& model = own.builder.model();
  if (!limits.lower.is_valid() && !limits.upper.is_valid())
    complain(own, Kind::kMissingStatement, "`limits` of " + one.of + " have no limit",
             "state `lower`, `upper` or both");
  bool is_right = true;
  const auto check = [&](Term limit, const char* end) {
    if (!limit.is_valid()) return;
    const std::string what = "a limit of " + one.of;
    TermFacts facts(model);
    if (!is_scalar_of(own, in(limit), what)) {
      is_right = false;
      return;
    }
    auto problem = elaborate::limit_problem(facts, in(limit), one.of);
    if (!problem && !std::isfinite(reaction_laws::constant_value(model, in(limit)).value_or(0.0)))
      problem = elaborate::not_finite(what);
    if (!problem && has_constraint(model, one.owner + end))
      problem = {Kind::kDuplicateName, elaborate::declared_twice(one.owner + end), elaborate::kHintOfDeclaredTwice};
    if (problem) complain(own, *problem);
    is_right = !problem && is_right;
  };
  check(limits.lower, ".min");
  check(limits.upper, ".max");
  if (!is_right || !limits.lower.is_valid() || !limits.upper.is_valid()) return is_right;
  const auto problem = elaborate::limit_order_problem(model, in(limits.lower), in(limits.upper), one.of);
  if (problem) complain(own, *problem);
  return !problem;
}

/// Adds the constraints of limits.
/// \param gaps  nothing after a mistake
Builder::LimitPair add_limits(Builder::Own& own, const Limits& limits, const Limited& one,
                              const std::optional<elaborate::LimitGaps>& gaps,
                              const std::optional<model::Unilateral>& properties) {
  model::Model& model = own.builder.model();
  const auto add = [&](Term limit, bool is_lower) -> std::optional<Builder::Constraint> {
    if (!limit.is_valid()) return std::nullopt;
    std::string name = one.owner + (is_lower ? ".min" : ".max");
    if (!gaps || !properties) return limit_without_effect(own, std::move(name));
    const std::string text = one.text + (is_lower ? " >= " : " <= ") + model::to_text(model, in(limit));
    const model::ConstraintId id = own.builder.add_constraint(
        std::move(name), is_lower ? gaps->above_lower : gaps->below_upper, {}, one.dimension, {}, text);
    if (one.rate.is_valid()) model.constraints[id.index()].row_rates = {is_lower ? one.rate : -one.rate};
    model::make_unilateral(own.builder, id, *properties);
    return handle_of(model, id);
  };
  Builder::LimitPair result;
  result.min = add(limits.lower, true);
  result.max = add(limits.upper, false);
  return result;
}

/// Values of a friction with a bound; nothing after a mistake.
struct FrictionBounds {
  model::Term bound, at_rest, viscous;
};
std::optional<FrictionBounds> bounds_of(Builder::Own& own, Term bound, Term static_bound, Term viscous) {
  bool is_right = true;
  const auto part = [&](Term stated, std::string_view what) {
    const model::Term term = clause_value(own, stated, kOfFriction, elaborate::kFrictionRule, what);
    is_right = term.is_valid() && is_right;
    return term;
  };
  FrictionBounds result;
  result.bound = part(bound, elaborate::kFrictionBound);
  if (static_bound.is_valid()) result.at_rest = part(static_bound, elaborate::kStaticBound);
  if (viscous.is_valid()) result.viscous = part(viscous, elaborate::kViscousFriction);
  return is_right ? std::optional(result) : std::nullopt;
}

/// The joint of a constraint; null for other constraints, which are an error.
const model::JointSpec* joint_of(Builder::Own& own, Builder::Constraint constraint, const char* call,
                                 const elaborate::RuleProblem& problem) {
  const model::Model& model = own.builder.model();
  const auto joint = own.joints.find(constraint.id);
  if (joint != own.joints.end()) return &joint->second;
  if (in(constraint).index() >= model.constraints.size())
    complain(own, Kind::kBadValue, std::string(call) + " of a joint of another builder",
             "make it by functions of the builder");
  else if (!own.faulty.contains(constraint.id))  // its mistake has been reported
    complain(own, problem);
  return nullptr;
}

}  // namespace

bool takes_clauses(Builder::Own& own, Builder::Constraint constraint) {
  const model::Model& model = own.builder.model();
  if (in(constraint).index() >= model.constraints.size() || !model.constraint(in(constraint)).unilateral) return true;
  complain(own, elaborate::no_other_clauses());
  return false;
}

void check_contacts(Builder::Own& own) {
  const model::Model& model = own.builder.model();
  for (const std::uint32_t joint : own.limited)
    if (model.constraints[joint].when.is_valid()) complain(own, elaborate::limits_of_timed_joint());
  const auto unilateral =
      std::ranges::find_if(model.constraints, [](const model::Constraint& one) { return one.unilateral.has_value(); });
  if (unilateral == model.constraints.end()) return;
  TermFacts facts(model);
  if (const auto problem = elaborate::unilateral_model_problem(model, facts, unilateral->name)) complain(own, *problem);
}

Builder::Constraint Builder::unilateral(std::string name, Term gap, const ContactClauses& clauses,
                                        const std::string& unit) {
  model::ModelBuilder& b = own_->builder;
  const auto properties = properties_of(*own_, clauses.restitution, clauses.compliance);
  bool is_right = is_gap(*own_, in(gap), name) && properties;
  if (is_stated(clauses.friction)) {
    complain(*own_, elaborate::friction_needs_point());
    is_right = false;
  }
  if (!is_right) return without_effect(*own_, std::move(name));
  const model::ConstraintId id = b.add_constraint(std::move(name), in(gap), {}, dimension_of(unit), {},
                                                  model::to_text(b.model(), in(gap)) + " >= 0");
  model::make_unilateral(b, id, *properties);
  return handle_of(b.model(), id);
}

Builder::LimitPair Builder::limits(Term coordinate, const Limits& limits) {
  const model::Model& model = own_->builder.model();
  const model::Term q = in(coordinate);
  const bool is_right = is_coordinate(*own_, q);
  Limited one{limits.name, "`limits`", "limits", {}};
  if (is_right) {
    one.text = model.coordinates[q.index()].name;
    one.of = "`" + one.text + "`";
    one.dimension = model.coordinates[q.index()].dimension;
  } else {
    complain(*own_, Kind::kWrongKind, "`limits` are those of a coordinate",
             "a limit of an expression is `unilateral(name, expression - value)`");
  }
  if (one.owner.empty()) one.owner = one.text;
  const auto properties = properties_of(*own_, limits.restitution, {});
  std::optional<elaborate::LimitGaps> gaps;
  if (are_limits(*own_, limits, one) && is_right) {
    gaps.emplace();
    if (limits.lower.is_valid()) gaps->above_lower = q - in(limits.lower);
    if (limits.upper.is_valid()) gaps->below_upper = -(q - in(limits.upper));
  }
  return add_limits(*own_, limits, one, gaps, properties);
}

Builder::LimitPair Builder::limits(Constraint joint, const Limits& limits) {
  model::Model& model = own_->builder.model();
  const model::JointSpec* const spec = joint_of(*own_, joint, "`limits`", elaborate::limits_without_joint());
  auto problem = spec == nullptr ? std::nullopt : elaborate::joint_limit_problem(spec->kind);
  const bool is_joint = spec != nullptr && !problem;
  if (is_joint && !own_->limited.insert(joint.id).second)
    problem = {Kind::kMisplacedStatement, elaborate::kOneLimitsOnly, "state both limits in one call"};
  if (problem) complain(*own_, *problem);
  Limited one{limits.name, "`limits`", "limits", {}};
  if (one.owner.empty())
    one.owner = in(joint).index() < model.constraints.size() ? model.constraint(in(joint)).name : "limits";
  if (!is_joint || problem) return add_limits(*own_, limits, one, {}, {});
  const std::string quantity = elaborate::joint_position_name(spec->kind), &name = model.constraint(in(joint)).name;
  one.of = "the " + quantity + " of `" + name + "`";
  one.text = quantity + " of " + name;
  if (model.has_units) one.dimension = *model::joint_position_dimension(spec->kind);
  const auto properties = properties_of(*own_, limits.restitution, {});
  std::optional<elaborate::LimitGaps> gaps;
  if (are_limits(*own_, limits, one)) {
    const model::JointPosition position = model::joint_position(own_->builder, *spec);
    one.rate = position.rate;
    gaps.emplace();
    TermFacts facts(model);
    problem =
        elaborate::joint_limit_gaps(model, facts, position, in(limits.lower), in(limits.upper), one.of, false, *gaps);
    if (problem) {
      complain(*own_, *problem);
      gaps.reset();
    }
  }
  return add_limits(*own_, limits, one, gaps, properties);
}

std::vector<Builder::Contact> Builder::contact(std::string name, JointEnd first, JointEnd second,
                                               const JointParts& parts, const ContactClauses& clauses) {
  model::ModelBuilder& b = own_->builder;
  const std::optional<model::JointSpec> spec = joint_spec(*own_, model::contact_joint(), first, second, parts);
  const auto properties = properties_of(*own_, clauses.restitution, clauses.compliance);
  bool is_right = spec && may_touch(*own_, *spec, parts) && properties;
  std::optional<model::FrictionCoefficients> friction;
  if (is_stated(clauses.friction)) {
    if (has_mu(*own_, clauses.friction)) friction = coefficients_of(*own_, clauses.friction);
    is_right = friction && is_right;
  }
  std::vector<std::string> names = {name};
  if (spec && model::may_touch(spec->surface, spec->surface2))
    names = elaborate::contact_names(name, spec->surface, spec->surface2,
                                     {spec->surface_lengths.size(), spec->surface2_lengths.size()});
  std::vector<Contact> all;
  if (!is_right) {
    for (std::string& one : names) all.push_back({without_effect(*own_, std::move(one)), first.point, second.point});
    return all;
  }
  const model::Model& model = b.model();
  const std::string text = fmt::format("{}: contact between {} of {} and {} of {}", name,
                                       model.point(spec->first_point).name, name_of_side(model, spec->first_body),
                                       model.point(spec->second_point).name, name_of_side(model, spec->second_body));
  const Dimension dimension = model.has_units ? make_dimension(0, 1, 0) : Dimension{};
  for (const model::ContactPlace& place : model::add_contact_places(b, names, *spec)) {
    Constraint constraint;
    if ((TermFacts(model).holds(place.gap) & elaborate::kHoldsCoordinates) == 0) {
      complain(*own_, elaborate::contact_without_coordinate(place.name));
      constraint = without_effect(*own_, place.name);
    } else {
      constraint = handle_of(model, model::add_contact(b, place, dimension, *properties, friction, {}, {}, text));
      own_->contacts.insert(constraint.id);
    }
    all.push_back({constraint, {id_of(place.P)}, {id_of(place.Q)}});
  }
  return all;
}

void Builder::friction(Constraint constraint, Point point, const Friction& coefficients, std::optional<Point> from,
                       Term sliding) {
  model::ModelBuilder& b = own_->builder;
  const model::Model& model = b.model();
  const auto is_point = [&](Point one) { return in(one).index() < model.points.size(); };
  if (in(constraint).index() >= model.constraints.size() || !is_point(point) || (from && !is_point(*from)))
    return complain(*own_, Kind::kBadValue, "`friction` of a constraint or on a point of another builder",
                    "make them by functions of the builder");
  if (own_->faulty.contains(constraint.id)) return;  // its mistake has been reported
  const model::ConstraintId id = in(constraint);
  const bool pushes = model.constraint(id).unilateral.has_value();
  if (own_->contacts.contains(constraint.id)) return complain(*own_, elaborate::contact_finds_point());
  if (pushes && !model.constraint(id).nonideal.empty()) return complain(*own_, elaborate::one_friction_only());
  model::PointId acts_at;
  const auto opposite = in<model::PointId>(from);
  const bool is_right = takes_friction_on(*own_, id, in(point), opposite, acts_at);
  const auto mu = has_mu(*own_, coefficients) ? coefficients_of(*own_, coefficients) : std::nullopt;
  const model::Term velocity = is_right ? sliding_of(*own_, sliding, in(point), opposite) : model::Term{};
  if (!mu || !velocity.is_valid()) return;
  const model::Term normal =
      pushes ? model::pushing_reaction(model, id, in(point)) : b.terms().norm(model::reaction(model, id, acts_at));
  b.add_nonideal(id, model::coulomb_friction({in(point), velocity, opposite}, normal, *mu));
}

void Builder::friction(Term coordinate, Term bound, Term static_bound, Term viscous) {
  if (!is_coordinate(*own_, in(coordinate)))
    return complain(*own_, Kind::kWrongKind, "`friction` with a bound acts on a coordinate",
                    "friction of a constraint acts on a point, with a coefficient `mu`");
  const auto values = bounds_of(*own_, bound, static_bound, viscous);
  if (!values) return;
  const model::CoordinateId q(std::size_t{in(coordinate).index()});
  own_->builder.add_load(
      model::friction_on_coordinate(own_->builder.terms(), q, values->bound, values->at_rest, values->viscous));
}

void Builder::friction(Constraint joint, Term bound, Term static_bound, Term viscous) {
  const model::JointSpec* const spec = joint_of(*own_, joint, "`friction`", elaborate::bound_without_joint());
  if (spec == nullptr) return;
  if (const auto problem = elaborate::joint_friction_problem(own_->builder.model(), *spec))
    return complain(*own_, *problem);
  const auto values = bounds_of(*own_, bound, static_bound, viscous);
  if (!values) return;
  own_->builder.add_nonideal(in(joint),
                             model::friction_of_joint(*spec, values->bound, values->at_rest, values->viscous));
}

}  // namespace vinculum
