#include <algorithm>
#include <cmath>
#include <utility>

#include "vinculum/elaborate/build/elaborator.hpp"
#include "vinculum/mechanics/evaluate.hpp"
#include "vinculum/mechanics/inspect/inspection.hpp"
#include "vinculum/mechanics/sliding.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using mechanics::Actuator;
using mechanics::ConstraintId;
using mechanics::FrameId;
using mechanics::PointId;
using mechanics::Term;

namespace {

constexpr std::uint8_t kState = kHoldsTime | kHoldsCoordinates | kHoldsRates;

/// Whether b = −a wherever the model stands, told by two states.
bool are_opposite(const mechanics::Model& model, Term a, Term b) {
  constexpr double kTolRounding = 1e-9;
  for (const double seed : {0.37, 0.81}) {
    mechanics::Instant at;
    at.t = seed;
    for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
      const double x = static_cast<double>(i) + seed;
      at.q.push_back(std::sin(3.1 * x));
      at.q_dot.push_back(std::sin(5.3 * x));
      at.q_ddot.push_back(std::sin(7.9 * x));
    }
    mechanics::TermValues values(model, at);
    const mechanics::JetVector first = values.vector(a), second = values.vector(b);
    double size = 0.0, sum = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      size = std::max(size, std::fabs(first[i].value));
      sum = std::max(sum, std::fabs(first[i].value + second[i].value));
    }
    if (!(sum <= kTolRounding * size)) return false;
  }
  return true;
}

}  // namespace

std::optional<mechanics::Nonideal> Elaborator::nonideal(const lang::NonidealClause& clause, diag::SourceRange range) {
  context_.in_nonideal = true;
  context_.place = "a `nonideal` clause";
  const Symbol* target = context_.scope.find(clause.target.text);
  std::optional<mechanics::Nonideal> result;
  if (target != nullptr && target->kind == SymbolKind::kCoordinate) {
    if (clause.from) {
      context_.reporter.error(Kind::kNotAllowedHere, clause.from->range, "a generalized force has no opposite",
                              "`from` follows a force on a point");
    }
    const auto force = generalized_force_on(clause.target, *clause.value, "a generalized force");
    if (force && !clause.from) result = mechanics::Nonideal{*force, range};
  } else if (target != nullptr && (target->kind == SymbolKind::kBody || target->kind == SymbolKind::kFrame)) {
    if (const auto torque = torque_on(clause.target, *clause.value, clause.from, "a `nonideal` torque")) {
      result = mechanics::Nonideal{*torque, range};
    }
  } else if (const auto force = force_on(clause.target, *clause.value, clause.from, "a `nonideal` force")) {
    result = mechanics::Nonideal{*force, range};
  }
  context_.in_nonideal = false;
  return result;
}

/// −μ|R| v/|v| with the actual reaction R of the constraint on the point, as a `nonideal` clause would state it.
std::optional<mechanics::Nonideal> Elaborator::friction(const lang::FrictionClause& clause, diag::SourceRange range,
                                                        const lang::Name& constraint) {
  context_.in_nonideal = true;
  context_.place = "a `friction` clause";
  lang::Call call;
  call.function = {"reaction", range};
  for (const lang::Name* argument : {&constraint, &clause.target}) {
    call.arguments.push_back(
        std::make_unique<lang::Expression>(lang::Expression{lang::NameReference{argument->text}, clause.target.range}));
  }
  const lang::Expression reaction{std::move(call), clause.target.range};
  const PointId point = point_named(clause.target);
  std::optional<PointId> other;
  if (clause.from) other = point_named(*clause.from);
  bool is_right =
      point.is_valid() && (!other || other->is_valid()) && may_move(clause.target, point, clause.from, other);
  const Value R = is_right ? check_.vector(reaction, "a reaction") : Value{};
  const auto coefficient = [&](const lang::ExpressionPtr& expression, std::uint8_t allowed, std::string_view what) {
    const Value value = check_.measured(*expression, {1.0, Dimension{}}, what);
    is_right = check_.holds_only(*expression, value, allowed, what) && !value.is_fault() && is_right;
    return value.term;
  };
  const Term mu = coefficient(clause.mu, kState | kHoldsStates, "a coefficient of friction");
  const Term mu_static = clause.static_mu
                             ? coefficient(clause.static_mu, kState | kHoldsStates, "a coefficient of static friction")
                             : Term{};
  Term sliding;
  if (clause.sliding) {
    const Value value = check_.vector(*clause.sliding, "the velocity of sliding");
    is_right =
        check_.holds_only(*clause.sliding, value, kState, "the velocity of sliding") && !value.is_fault() && is_right;
    if (is_right) sliding = value.term;
  } else if (is_right) {
    sliding = pool_.velocity(point, mechanics::Model::newtonian());
    if (other) sliding = sliding - pool_.velocity(*other, mechanics::Model::newtonian());
  }
  context_.in_nonideal = false;
  if (!is_right || R.is_fault()) {
    context_.reporter.leave_out();
    return std::nullopt;
  }
  if (!mechanics::is_sliding_velocity(model_, sliding)) {
    context_.reporter.error(Kind::kBadValue, clause.sliding ? clause.sliding->range : clause.target.range,
                            "the velocity of sliding holds no velocity",
                            "write `sliding vel(P) - vel(Q)`, the velocity of what slides in what it slides on");
    return std::nullopt;
  }
  mechanics::Nonideal result{mechanics::ForceOn{point, -(mu * pool_.norm(R.term) * pool_.unit(sliding)), other}, range};
  if (clause.static_mu) result.static_ratio = mu_static / mu;
  return result;
}

Value Elaborator::direction(const lang::Expression& expression) {
  Value value = check_.vector(expression, "a direction");
  if (!check_.holds_only(expression, value, kState, "a direction of a reaction")) return {};
  if (value.term.is_zero()) {
    context_.reporter.error(Kind::kBadValue, expression.range, "the zero vector has no direction");
    return {};
  }
  return value;
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
    const Value value = check_.measured(*item.scale, {1.0, dimension}, what);
    const std::optional<double> scale = value.is_fault() ? std::nullopt : constant(*item.scale, value, what);
    if (scale && *scale <= 0.0)
      context_.reporter.error(Kind::kBadValue, item.scale->range, "the scale of an actuator is positive");
    is_right = scale && *scale > 0.0 && is_right;
    actuator.scale = scale.value_or(1.0);
  }
  if (!is_right) return false;
  clauses.actuators.push_back(std::move(actuator));
  clauses.dimensions.push_back(dimension);
  return true;
}

Elaborator::Clauses Elaborator::read_clauses(const std::vector<lang::Clause>& written, const lang::Name& constraint) {
  Clauses result;
  const lang::Clause* law = nullptr;
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
    context_.place = "a direction of a reaction";
    const auto* via_clause = std::get_if<lang::ViaClause>(&clause.what);
    if (law != nullptr && !(via_clause != nullptr && result.law == Clauses::Law::kVia)) {
      if (!std::exchange(has_one_law, false)) continue;
      const bool has_via = via_clause != nullptr || result.law == Clauses::Law::kVia;
      context_.reporter.report({Kind::kMisplacedStatement,
                                diag::Severity::kError,
                                clause.range,
                                "a constraint has one law",
                                {},
                                {{law->range, "the first one"}},
                                has_via ? "actuators named by `via` keep the constraint alone: they are its law" : ""});
      result.is_right = false;
      continue;
    }
    if (law == nullptr) {
      law = &clause;
      result.law_range = clause.range;
    }
    if (via_clause != nullptr) {
      result.law = Clauses::Law::kVia;
      for (const lang::ViaItem& item : via_clause->items) result.is_right = via(item, result) && result.is_right;
    } else if (const auto* directed = std::get_if<lang::DirectedClause>(&clause.what)) {
      result.law = Clauses::Law::kDirected;
      for (const auto& expression : directed->along) {
        Value value = direction(*expression);
        result.is_right = !value.is_fault() && result.is_right;
        result.along.push_back(std::move(value));
        result.along_ranges.push_back(expression->range);
      }
    }
    if (result.law == Clauses::Law::kIdeal && !std::holds_alternative<lang::IdealClause>(clause.what)) {
      result.law = Clauses::Law::kFurther;
      result.further = &clause;
    }
  }
  if (result.law == Clauses::Law::kFurther && !result.nonideal.empty()) {
    context_.reporter.report({Kind::kNotAllowedHere,
                              diag::Severity::kError,
                              result.nonideal.front().range,
                              "a `nonideal` clause goes with the ideal law only",
                              {},
                              {{result.law_range, "another law"}},
                              "state a further force as a load: `force on P = VEC`"});
    result.is_right = false;
  } else if (result.law != Clauses::Law::kIdeal && !result.nonideal.empty()) {
    context_.reporter.report({Kind::kNotAllowedHere,
                              diag::Severity::kError,
                              result.nonideal.front().range,
                              "a reaction whose directions are stated is not split into an ideal part and another",
                              {},
                              {{result.law_range, "its directions"}},
                              "state a further force as a load: `force on P = VEC`"});
    result.is_right = false;
  }
  if (!result.is_right) context_.reporter.leave_out();
  return result;
}

/// Where row k acts: the direction stated falls on the one point or body that it names, or on two oppositely.
std::optional<Actuator> Elaborator::directed(ConstraintId id, std::size_t row, const Value& along,
                                             Dimension& dimension) {
  const mechanics::RowInspection inspection = mechanics::inspect_row(model_, id, row);
  const auto& [forces, torques, has_bare_part] = inspection;
  Actuator actuator;
  dimension = make_dimension(1, torques.empty() ? 1 : 2, -2) / along.dimension;
  if (has_bare_part || (forces.empty() == torques.empty())) return std::nullopt;
  if (forces.size() == 1)
    actuator.forces.push_back({forces[0].point, along.term, {}});
  else if (torques.size() == 1)
    actuator.torques.push_back({torques[0].body, along.term, {}});
  else if (forces.size() == 2 && are_opposite(model_, forces[0].W, forces[1].W)) {
    actuator.forces.push_back({forces[0].point, along.term, forces[1].point});
  } else if (torques.size() == 2 && are_opposite(model_, torques[0].tau, torques[1].tau)) {
    actuator.torques.push_back({torques[0].body, along.term, torques[1].body});
  } else {
    return std::nullopt;
  }
  return actuator;
}

bool Elaborator::set_clauses(ConstraintId id, Clauses clauses, const lang::ConstraintStatement* relation) {
  for (mechanics::Nonideal& force : clauses.nonideal) builder_.add_nonideal(id, std::move(force));
  if (clauses.law == Clauses::Law::kIdeal) return true;
  if (clauses.law == Clauses::Law::kFurther) return set_law(id, *clauses.further, relation);
  const std::size_t rows = model_.constraint(id).rows.size();
  const std::string name = model_.constraint(id).name;
  const auto count_of = [](std::size_t count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
  };
  const auto are = [](std::size_t count) { return count == 1 ? " is " : " are "; };
  if (clauses.law == Clauses::Law::kVia) {
    if (clauses.actuators.size() < rows) {
      context_.reporter.error(
          Kind::kWrongArgumentCount, clauses.law_range,
          count_of(rows, "row") + " of `" + name + "` cannot be kept by " +
              count_of(clauses.actuators.size(), "actuator"),
          "name as many actuators as there are rows, or more: `via force on P along VEC, torque on B along VEC`");
      return false;
    }
    context_.effort_dimensions[id] = std::move(clauses.dimensions);
    builder_.set_law(id, mechanics::DirectedLaw{std::move(clauses.actuators), true});
    return true;
  }
  if (clauses.along.size() != rows) {
    context_.reporter.error(Kind::kWrongArgumentCount, clauses.law_range,
                            "`law directed` has one direction for each row: `" + name + "` has " +
                                count_of(rows, "row") + ", and there" + are(clauses.along.size()) +
                                count_of(clauses.along.size(), "direction"));
    return false;
  }
  mechanics::DirectedLaw law;
  bool is_right = true;
  for (std::size_t row = 0; row < rows; ++row) {
    Dimension dimension;
    std::optional<Actuator> actuator = directed(id, row, clauses.along[row], dimension);
    if (!actuator) {
      context_.reporter.error(
          Kind::kNotAllowedHere, clauses.along_ranges[row],
          (rows == 1 ? "`" + name + "`" : "row " + std::to_string(row + 1) + " of `" + name + "`") +
              " does not act on one point or body, or on two oppositely: a direction alone does not say where",
          "name what acts: `via force on P along VEC` or `via torque on B along VEC`");
      is_right = false;
      continue;
    }
    actuator->range = clauses.along_ranges[row];
    law.actuators.push_back(std::move(*actuator));
    clauses.dimensions.push_back(dimension);
  }
  if (!is_right) return false;
  context_.effort_dimensions[id] = std::move(clauses.dimensions);
  builder_.set_law(id, std::move(law));
  return true;
}

}  // namespace vinculum::elaborate
