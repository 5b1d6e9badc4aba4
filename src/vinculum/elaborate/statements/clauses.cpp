#include <algorithm>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/elaborate/check/joint_clauses.hpp"
#include "vinculum/elaborate/check/law_rows.hpp"
#include "vinculum/elaborate/statements/elaborator.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/joint.hpp"
#include "vinculum/model/requirements.hpp"
#include "vinculum/model/sliding.hpp"
#include "vinculum/model/traversal.hpp"
#include "vinculum/reaction_laws/law.hpp"
#include "vinculum/reaction_laws/laws.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using model::Actuator;
using model::ConstraintId;
using model::FrameId;
using model::PointId;
using model::Term;

namespace {

constexpr std::uint8_t kState = kHoldsTime | kHoldsCoordinates | kHoldsRates;

}  // namespace

std::optional<model::Nonideal> Elaborator::nonideal(const lang::NonidealClause& clause, diag::SourceRange range) {
  context_.in_nonideal = true;
  context_.place = "a `nonideal` clause";
  const Symbol* target = context_.scope.find(clause.target.text);
  std::optional<model::Nonideal> result;
  if (target != nullptr && target->kind == SymbolKind::kCoordinate) {
    if (clause.from) {
      context_.reporter.error(Kind::kNotAllowedHere, clause.from->range, "a generalized force has no opposite",
                              "`from` follows a force on a point");
    }
    const auto force = generalized_force_on(clause.target, *clause.value, "a generalized force");
    if (force && !clause.from) result = model::Nonideal{*force, range};
  } else if (target != nullptr && (target->kind == SymbolKind::kBody || target->kind == SymbolKind::kFrame)) {
    if (const auto torque = torque_on(clause.target, *clause.value, clause.from, "a `nonideal` torque")) {
      result = model::Nonideal{*torque, range};
    }
  } else if (const auto force = force_on(clause.target, *clause.value, clause.from, "a `nonideal` force")) {
    result = model::Nonideal{*force, range};
  }
  context_.in_nonideal = false;
  return result;
}

/// The friction force −μ|R| v/|v|, with R the actual reaction of the constraint on the point and v the sliding
/// velocity. Equivalent to a `nonideal` clause.
std::optional<model::Nonideal> Elaborator::friction(const lang::FrictionClause& clause, diag::SourceRange range,
                                                    const lang::Name& constraint) {
  if (clause.target.text.empty()) {
    const RuleProblem problem = friction_needs_point();
    return none(problem.kind, range, problem.message, problem.hint);
  }
  context_.in_nonideal = true;
  context_.place = "a `friction` clause";
  lang::Call call;
  call.function = {"reaction", range};
  for (const lang::Name* argument : {&constraint, &clause.target}) {
    call.arguments.push_back(
        std::make_unique<lang::Expression>(lang::Expression{lang::NameReference{argument->text}, clause.target.range}));
  }
  const lang::Expression reaction{std::move(call), clause.target.range};
  const auto* relation = std::get_if<lang::ConstraintStatement>(&context_.file.statements[context_.statement].node);
  const bool pushes = relation != nullptr && relation->sign != lang::ConstraintStatement::Sign::kEqual;
  const PointId point = point_named(clause.target);
  std::optional<PointId> other;
  if (clause.from) other = point_named(*clause.from);
  bool is_right =
      point.is_valid() && (!other || other->is_valid()) && may_move(clause.target, point, clause.from, other);
  const Value R = is_right ? check_.vector(reaction, "a reaction") : Value{};
  const std::optional<model::FrictionCoefficients> coefficients = friction_coefficients(clause);
  is_right = coefficients && is_right;
  Term sliding;
  if (clause.sliding) {
    const Value value = check_.vector(*clause.sliding, kSliding);
    is_right = check_.holds_only(*clause.sliding, value, kMotionState, kSliding) && !value.is_fault() && is_right;
    if (is_right) sliding = value.term;
  } else if (is_right) {
    sliding = pool_.velocity(point, model::Model::newtonian());
    if (other) sliding = sliding - pool_.velocity(*other, model::Model::newtonian());
  }
  context_.in_nonideal = false;
  if (!is_right || R.is_fault()) {
    context_.reporter.leave_out();
    return std::nullopt;
  }
  if (const auto problem = sliding_problem(model_, sliding))
    return none(problem->kind, clause.sliding ? clause.sliding->range : clause.target.range, problem->message,
                problem->hint);
  const auto stated = std::ranges::find(model_.constraints, constraint.text, &model::Constraint::name);
  const ConstraintId id(static_cast<std::uint32_t>(stated - model_.constraints.begin()));
  if (pushes && !clause.from && !clause.sliding)
    if (const auto problem = missing_other_side(model_, context_.facts, *stated, point))
      context_.reporter.warn(problem->kind, clause.target.range, problem->message, problem->hint);
  const Term normal = pushes ? model::pushing_reaction(model_, id, point) : pool_.norm(R.term);
  return model::coulomb_friction(model::ForceOn{point, sliding, other}, normal, *coefficients, range);
}

std::optional<model::FrictionCoefficients> Elaborator::friction_coefficients(const lang::FrictionClause& clause) {
  bool is_right = true;
  const auto coefficient = [&](const lang::ExpressionPtr& expression, std::string_view what) {
    if (!expression) return Term{};
    const Value value = check_.measured(*expression, {1.0, Dimension{}}, what);
    is_right = check_.holds_only(*expression, value, kMotionState | kHoldsStates | kHoldsInputs, what) &&
               !value.is_fault() && is_right;
    if (!value.is_fault()) is_right = is_not_negative(*expression, value, what) && is_right;
    return value.term;
  };
  const Term mu = coefficient(clause.mu, kFriction);
  const Term at_rest = coefficient(clause.static_mu, kStaticFriction);
  if (!is_right) return std::nullopt;
  const auto is_known = [&](Term x) { return context_.facts.holds(x) == kHoldsNothing && !is_guessed(x); };
  if (clause.static_mu && is_known(mu) && is_known(at_rest))
    if (auto problem = static_friction_problem(model_, mu, at_rest))
      context_.reporter.warn(problem->kind, clause.static_mu->range, std::move(problem->message),
                             std::move(problem->hint));
  return model::FrictionCoefficients{mu, at_rest};
}

bool Elaborator::is_not_negative(const lang::Expression& expression, const Value& value, std::string_view what) {
  if (context_.facts.holds(value.term) != kHoldsNothing || is_guessed(value.term)) return true;
  return obeys(kFrictionRule, expression, value.term, what);
}

/// Friction of a joint with one degree of freedom. It acts along that motion, as a force or torque between the two
/// bodies of the joint.
std::optional<model::Nonideal> Elaborator::given_friction(const lang::GivenFrictionClause& clause,
                                                          diag::SourceRange range, const model::JointSpec* joint) {
  using model::JointKind;
  if (joint == nullptr &&
      std::holds_alternative<lang::JointStatement>(context_.file.statements[context_.statement].node)) {
    (void)check_.evaluate(*clause.bound);  // the joint has an error, which has been reported already
    context_.reporter.leave_out();
    return std::nullopt;
  }
  auto problem = joint == nullptr ? std::optional(bound_without_joint()) : joint_friction_problem(model_, *joint);
  if (problem) return none(problem->kind, range, std::move(problem->message), std::move(problem->hint));
  const bool turns = joint->kind == JointKind::kRevolute || joint->kind == JointKind::kScrew;
  const Dimension force = make_dimension(1, turns ? 2 : 1, -2);
  const Dimension speed = make_dimension(0, turns ? 0 : 1, -1);
  bool is_right = true;
  const auto part = [&](const lang::ExpressionPtr& expression, const Dimension& dimension, std::string_view what) {
    if (!expression) return Term{};
    const Value value = check_.measured(*expression, {1.0, dimension}, what);
    is_right = check_.holds_only(*expression, value, kMotionState | kHoldsStates | kHoldsInputs, what) &&
               !value.is_fault() && is_right;
    if (!value.is_fault()) is_right = is_not_negative(*expression, value, what) && is_right;
    return value.term;
  };
  const Term bound = part(clause.bound, force, kFrictionBound);
  const Term at_rest = part(clause.static_bound, force, kStaticBound);
  const Term viscous = part(clause.viscous, force / speed, kViscousFriction);
  if (!is_right) {
    context_.reporter.leave_out();
    return std::nullopt;
  }
  return model::friction_of_joint(*joint, bound, at_rest, viscous, range);
}

Value Elaborator::direction(const lang::Expression& expression) {
  Value value = check_.vector(expression, "a direction");
  if (!check_.holds_only(expression, value, kMotionState, "a direction of a reaction")) return {};
  if (value.term.is_zero()) {
    context_.reporter.error(Kind::kBadValue, expression.range, "the zero vector has no direction");
    return {};
  }
  return value;
}

/// A plain number weights the effort. A scale that contains parameters, time or coordinates is the unit of the effort,
/// and the forces contain it as a factor.
bool Elaborator::set_scale(Term scale, const lang::Expression& written, Actuator& actuator) {
  const std::string_view what = "the scale of an actuator";
  const std::optional<double> number = reaction_laws::constant_value(model_, scale);
  if (number && !(*number > 0.0))
    return refuse(Kind::kBadValue, written.range, std::string(what) + " must be positive");
  if (scale.kind() == model::TermKind::kNumber) {
    actuator.scale = *number;
    return true;
  }
  if (number) model::require_positive(model_, scale, what);
  actuator.unit = scale;
  for (model::ForceOn& force : actuator.forces) force.force = scale * force.force;
  for (model::TorqueOn& torque : actuator.torques) torque.torque = scale * torque.torque;
  return true;
}

bool Elaborator::via(const lang::ViaItem& item, Clauses& clauses) {
  const Value along = direction(*item.along);
  Actuator actuator;
  actuator.range = item.range;
  bool is_right = !along.is_fault();
  if (item.is_torque) {
    const std::optional<FrameId> body = body_frame_named(item.target, false);
    std::optional<FrameId> other;
    if (item.from) other = body_frame_named(*item.from, true);
    is_right = body && (!item.from || other) && is_right && may_turn(item.target, *body, item.from, other);
    if (is_right) actuator.torques.push_back({*body, along.term, other});
  } else {
    const PointId point = point_named(item.target);
    std::optional<PointId> other;
    if (item.from) other = point_named(*item.from);
    is_right =
        point.is_valid() && (!other || other->is_valid()) && is_right && may_move(item.target, point, item.from, other);
    if (is_right) actuator.forces.push_back({point, along.term, other});
  }
  const Dimension dimension = make_dimension(1, item.is_torque ? 2 : 1, -2) / along.dimension;
  if (item.scale && !along.is_fault()) {
    const std::string_view what = "the scale of an actuator";
    const Value scale = check_.measured(*item.scale, {1.0, dimension}, what);
    is_right = check_.holds_only(*item.scale, scale, kConfiguration, what) && !scale.is_fault() && is_right;
    if (is_right) is_right = set_scale(scale.term, *item.scale, actuator);
  }
  if (!is_right) return false;
  actuator.dimension = dimension;
  clauses.actuators.push_back(std::move(actuator));
  return true;
}

/// The member of `clauses` for a clause that a constraint may have only once; null for other clauses.
const lang::Clause** Elaborator::once_only(const lang::Clause& clause, Clauses& clauses) {
  if (std::holds_alternative<lang::BranchClause>(clause.what)) return &clauses.branch;
  if (std::holds_alternative<lang::RestitutionClause>(clause.what)) return &clauses.restitution;
  if (std::holds_alternative<lang::ComplianceClause>(clause.what)) return &clauses.compliance;
  if (std::holds_alternative<lang::LimitsClause>(clause.what)) return &clauses.limits;
  return std::holds_alternative<lang::WhenClause>(clause.what) ? &clauses.when : nullptr;
}

bool Elaborator::take_once(const lang::Clause& clause, const lang::Clause*& place) {
  const lang::Clause* const first = std::exchange(place, &clause);
  if (first == nullptr) return true;
  const bool is_restitution = std::holds_alternative<lang::RestitutionClause>(clause.what);
  const bool is_compliance = std::holds_alternative<lang::ComplianceClause>(clause.what);
  const bool is_limits = std::holds_alternative<lang::LimitsClause>(clause.what);
  const bool is_branch = std::holds_alternative<lang::BranchClause>(clause.what);
  return refuse(Kind::kMisplacedStatement, clause.range,
                is_restitution  ? "a constraint has one `restitution`"
                : is_compliance ? "a constraint has one `compliance`"
                : is_limits     ? kOneLimitsOnly
                : is_branch     ? "a constraint has one `branch`"
                                : "a constraint has one `when`",
                diag::Label{first->range, "the first one"},
                is_restitution || is_compliance || is_limits ? "remove one of them" : "join conditions by `and`");
}

Elaborator::Clauses Elaborator::read_clauses(const std::vector<lang::Clause>& written, const lang::Name& constraint,
                                             const model::JointSpec* joint) {
  Clauses result;
  const lang::Clause* first = nullptr;  // the first law or actuator clause
  bool has_one_law = true;
  for (const lang::Clause& clause : written) {
    if (const auto* stated = std::get_if<lang::NonidealClause>(&clause.what)) {
      if (auto force = nonideal(*stated, clause.range))
        result.nonideal.push_back(std::move(*force));
      else
        result.is_right = false;
      continue;
    }
    if (const auto* stated = std::get_if<lang::FrictionClause>(&clause.what)) {
      if (auto force = friction(*stated, clause.range, constraint))
        result.nonideal.push_back(std::move(*force));
      else
        result.is_right = false;
      continue;
    }
    if (const auto* stated = std::get_if<lang::GivenFrictionClause>(&clause.what)) {
      if (auto force = given_friction(*stated, clause.range, joint))
        result.nonideal.push_back(std::move(*force));
      else
        result.is_right = false;
      continue;
    }
    if (const lang::Clause** place = once_only(clause, result); place != nullptr) {
      result.is_right = take_once(clause, *place) && result.is_right;
      continue;
    }
    context_.place = "a direction of a reaction";
    const auto* via_clause = std::get_if<lang::ViaClause>(&clause.what);
    if (first != nullptr && !(via_clause != nullptr && result.law == nullptr)) {
      if (!std::exchange(has_one_law, false)) continue;
      const bool has_via = via_clause != nullptr || result.law == nullptr;
      context_.reporter.error(Kind::kMisplacedStatement, clause.range, "a constraint has one law",
                              diag::Label{first->range, "the first one"},
                              has_via ? "actuators named by `via` keep the constraint alone: they are its law" : "");
      result.is_right = false;
      continue;
    }
    if (first == nullptr) {
      first = &clause;
      result.law_range = clause.range;
    }
    if (via_clause == nullptr)
      result.law = &clause;
    else
      for (const lang::ViaItem& item : via_clause->items) result.is_right = via(item, result) && result.is_right;
  }
  const auto* chosen = result.law == nullptr ? nullptr : &std::get<lang::LawClause>(result.law->what);
  const reaction_laws::Kind* kind = chosen == nullptr ? nullptr : context_.options.laws->find(chosen->law.text);
  if (first != nullptr && !result.nonideal.empty() && !(kind != nullptr && kind->is_ideal)) {
    const bool has_directions = kind == nullptr || kind->names_directions;
    context_.reporter.error(
        Kind::kNotAllowedHere, result.nonideal.front().range,
        has_directions ? "a reaction whose directions are stated is not split into an ideal part and another"
                       : kNonidealNeedsIdeal,
        diag::Label{result.law_range, has_directions ? "its directions" : "another law"}, kHintOfNonideal);
    result.is_right = false;
  }
  if (!result.is_right) context_.reporter.leave_out();
  return result;
}

bool Elaborator::set_clauses(ConstraintId id, Clauses clauses, const lang::ConstraintStatement* relation) {
  for (model::Nonideal& force : clauses.nonideal) builder_.add_nonideal(id, std::move(force));
  const bool is_unilateral = relation != nullptr && relation->sign != lang::ConstraintStatement::Sign::kEqual;
  if (clauses.limits != nullptr && relation != nullptr) {
    const RuleProblem problem = limits_without_joint();
    return refuse(problem.kind, clauses.limits->range, problem.message, problem.hint);
  }
  if (is_unilateral) return set_unilateral(id, *relation, clauses);
  if (clauses.restitution != nullptr)
    return refuse(Kind::kNotAllowedHere, clauses.restitution->range,
                  "`restitution` is for unilateral constraints, whose relation has `>=` or `<=`",
                  relation == nullptr
                      ? "in a joint it belongs to its limits: `limits a .. b restitution e`"
                      : "a constraint with `=` keeps its gap closed at all times, so it has no impacts");
  if (clauses.compliance != nullptr)
    return refuse(
        Kind::kNotAllowedHere, clauses.compliance->range,
        "`compliance` is for unilateral constraints, whose relation has `>=` or `<=`, and for joints `contact`",
        "a constraint that yields is stated by its law, or by a load such as `spring`");
  if (clauses.when != nullptr && !set_when(id, clauses)) return false;
  if (clauses.law != nullptr) return set_law(id, *clauses.law, relation);
  if (clauses.actuators.empty()) return true;
  const std::size_t rows = model_.constraint(id).rows.size(), actuators = clauses.actuators.size();
  if (actuators < rows) {
    const auto count_of = [](std::size_t count, const std::string& noun) {
      return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
    };
    return refuse(
        Kind::kWrongArgumentCount, clauses.law_range,
        count_of(rows, "row") + " of `" + model_.constraint(id).name + "` cannot be kept by " +
            count_of(actuators, "actuator"),
        "name as many actuators as there are rows, or more: `via force on P along VEC, torque on B along VEC`");
  }
  builder_.set_law(id, reaction_laws::directed(std::move(clauses.actuators), true));
  return true;
}

bool Elaborator::set_when(ConstraintId id, const Clauses& clauses) {
  const auto* law = clauses.law == nullptr ? nullptr : &std::get<lang::LawClause>(clauses.law->what);
  const bool is_ideal = clauses.actuators.empty() && clauses.nonideal.empty() &&
                        (law == nullptr || context_.options.laws->find(law->law.text)->is_ideal);
  const std::string name = "`" + model_.constraint(id).name + "`";
  if (!is_ideal)
    return refuse(Kind::kNotSupported, clauses.when->range, when_needs_ideal(model_.constraint(id).name), kHintOfWhen);
  const lang::Expression& written = *std::get<lang::WhenClause>(clauses.when->what).condition;
  context_.place = "a `when` clause";
  const Value condition = check_.evaluate(written);
  if (condition.is_fault()) return false;
  if (!condition.is(ValueKind::kCondition)) {
    check_.wrong_kind(written, condition, "a constraint acts while a comparison is true: `when t > 1 s`");
    return false;
  }
  if (!check_.holds_only(written, condition, kState | kHoldsStates | kHoldsInputs, "the condition of `when`"))
    return false;
  if (context_.facts.holds_passing_equality(condition.term))
    return refuse(
        Kind::kNotSupported, written.range,
        "the condition of `when` compares a value that changes continuously by `==` or `!=`, so it has no instant at "
        "which its truth changes",
        "write an inequality, `x >= 1 [m]`; `==` is for values that change by jumps only, such as states that events "
        "set");
  model::Constraint& constraint = model_.constraints[id.index()];
  for (const Term row : constraint.rows) {
    if ((context_.facts.holds(row) & kHoldsStates) != 0 && context_.facts.level(row) == model::Level::kPosition)
      return refuse(Kind::kNotSupported, clauses.when->range,
                    name + " contains a state and no velocity: such a constraint cannot be switched by `when`",
                    "let it act always, or state its derivative, which contains velocities");
    if (context_.facts.level(row) == model::Level::kAcceleration &&
        relations_.judge(row, row).verdict == RelationVerdict::kNonlinear)
      return refuse(Kind::kNotSupported, clauses.when->range,
                    name + " is not linear in the accelerations: such a constraint cannot be switched by `when`",
                    "let it act always, or state it in speeds");
  }
  constraint.when = condition.term;
  return true;
}

}  // namespace vinculum::elaborate
