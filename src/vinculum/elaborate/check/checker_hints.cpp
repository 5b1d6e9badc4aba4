#include <algorithm>
#include <array>

#include "vinculum/elaborate/check/checker.hpp"
#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/model/shared_frame.hpp"
#include "vinculum/model/traversal.hpp"

// Hints that say what to write instead of an expression of the wrong kind or dimension.
namespace vinculum::elaborate {

using diag::Kind;
using lang::BinaryOperator;
using model::FrameId;
using model::Model;

namespace {

/// "N*s/m": the unit of a coefficient whose dimension is `lacking`, written so that the coefficient times the rest of
/// the expression has the unit of `wanted`.
std::string unit_of_coefficient(const Dimension& lacking, std::string_view what, const Dimension& wanted) {
  const bool is_force = what.ends_with("force") && !what.starts_with("a generalized"),
             is_torque = what.ends_with("torque");
  if (!is_force && !is_torque) return si_unit(lacking);
  const std::string base = is_torque ? "N*m" : si_unit(wanted), rest = si_unit(lacking / wanted);
  if (rest == "1") return base;
  return base + (rest.starts_with("1/") ? rest.substr(1) : "*" + rest);
}

/// A factor `norm(v)` or `norm(v)^k` of a product.
struct NormFactor {
  const lang::Expression* whole = nullptr;
  const lang::Expression* vector = nullptr;
  int power = 1;
};
void norms_among_factors(const lang::Expression& expression, std::vector<NormFactor>& all) {
  if (const auto* sign = std::get_if<lang::Unary>(&expression.node);
      sign != nullptr && sign->op != lang::UnaryOperator::kNot)
    return norms_among_factors(*sign->operand, all);
  const auto* call = std::get_if<lang::Call>(&expression.node);
  if (call != nullptr && call->function.text == "norm" && call->arguments.size() == 1)
    all.push_back({&expression, call->arguments.front().get(), 1});
  const auto* product = std::get_if<lang::Binary>(&expression.node);
  if (product == nullptr) return;
  if (product->op == BinaryOperator::kPower) {
    std::vector<NormFactor> base;
    norms_among_factors(*product->left, base);
    const auto* exponent = std::get_if<lang::NumberLiteral>(&product->right->node);
    const bool is_whole = exponent != nullptr && exponent->value >= 2.0 && exponent->value <= 9.0 &&
                          exponent->value == static_cast<int>(exponent->value);
    if (base.size() == 1 && is_whole && base.front().whole == product->left.get())
      all.push_back({&expression, base.front().vector, static_cast<int>(exponent->value)});
    return;
  }
  if (product->op != BinaryOperator::kMultiply && product->op != BinaryOperator::kDivide) return;
  norms_among_factors(*product->left, all);
  if (product->op == BinaryOperator::kMultiply) norms_among_factors(*product->right, all);
}

void coordinates_in(const lang::Expression& expression, Scope& scope, std::vector<std::string>& names) {
  if (const auto* name = as_name(expression)) {
    const Symbol* symbol = scope.find(name->name);
    const bool is_new = std::ranges::find(names, name->name) == names.end();
    if (symbol != nullptr && symbol->kind == SymbolKind::kCoordinate && is_new) names.push_back(name->name);
  }
  for_each_operand(expression, [&](const lang::Expression& operand) { coordinates_in(operand, scope, names); });
}

bool is_sum(const lang::Expression& expression) {
  const auto* binary = std::get_if<lang::Binary>(&expression.node);
  return binary != nullptr && (binary->op == BinaryOperator::kAdd || binary->op == BinaryOperator::kSubtract);
}

bool holds_unit(const lang::Expression& expression) {
  const auto* literal = std::get_if<lang::NumberLiteral>(&expression.node);
  bool found = literal != nullptr && literal->unit.has_value();
  for_each_operand(expression, [&](const lang::Expression& operand) { found = found || holds_unit(operand); });
  return found;
}

}  // namespace

/// The text of the expression. A sum is in brackets, because a factor after it would apply to its last summand only.
std::string Checker::in_brackets_if_sum(const lang::Expression& expression) const {
  const std::string text = context_.reporter.as_written(expression.range);
  return is_sum(expression) && !text.starts_with('(') ? "(" + text + ")" : text;
}

/// Hint that says how to give a number, or arithmetic of numbers, its dimension; empty for other expressions.
std::string Checker::unit_hint(const lang::Expression& expression, const Dimension& dimension) {
  if (dimension.is_dimensionless() || !is_numeric(expression)) return {};
  const std::string unit = "[" + si_unit(dimension) + "]";
  if (const auto* literal = std::get_if<lang::NumberLiteral>(&expression.node)) {
    return "give the number its unit: `" + literal->spelling + " " + unit + "`";
  }
  const std::string text = context_.reporter.as_written(expression.range);
  const bool wants_brackets =
      (is_sum(expression) || std::holds_alternative<lang::Unary>(expression.node)) && !text.starts_with('(');
  return "it has no dimension: write `1 " + unit + "*" + (wants_brackets ? "(" + text + ")" : text) + "`";
}

/// Hint that says how to give the missing dimension to a product with a single number without unit: `-9.81*N.y` used as
/// an acceleration, `-2*vel(P)` used as a force.
std::string Checker::factor_hint(const lang::Expression& expression, const Dimension& lacking, std::string_view what,
                                 const Dimension& wanted) {
  std::vector<const lang::Expression*> numbers;
  numbers_among_factors(expression, numbers);
  if (numbers.size() != 1 || lacking.is_dimensionless()) return {};
  // A load is a coefficient times a variable, so its number can have any unit. In other expressions with a dimension a
  // wrong unit may be the mistake.
  const bool is_load = what.ends_with("force") || what.ends_with("torque") || what == "a potential";
  if (!is_load && lacking != wanted) return {};
  return "give the number its unit: `" + context_.reporter.as_written(numbers.front()->range) + " [" +
         unit_of_coefficient(lacking, what, wanted) + "]`";
}

std::string Checker::as_vector_along(const lang::Expression& scalar, const Value& value, const Dimension& wanted,
                                     std::string_view what) {
  struct Replacement {
    diag::SourceRange range;
    std::string text;
  };
  std::vector<Replacement> replacements;
  std::vector<NormFactor> norms;
  norms_among_factors(scalar, norms);
  if (norms.size() == 1) {
    const NormFactor& norm = norms.front();
    const std::string vector = in_brackets_if_sum(*norm.vector);
    const std::string length = norm.power == 1   ? std::string()
                               : norm.power == 2 ? "norm(" + context_.reporter.as_written(norm.vector->range) + ")*"
                                                 : "norm(" + context_.reporter.as_written(norm.vector->range) + ")^" +
                                                       std::to_string(norm.power - 1) + "*";
    replacements.push_back({norm.whole->range, length + vector});
  }
  std::vector<const lang::Expression*> numbers;
  numbers_among_factors(scalar, numbers);
  const Dimension lacking = wanted / value.dimension;
  if (numbers.size() == 1 && context_.model.has_units && !value.fits_any && !lacking.is_dimensionless()) {
    const diag::SourceRange range = numbers.front()->range;
    replacements.push_back(
        {range, context_.reporter.as_written(range) + " [" + unit_of_coefficient(lacking, what, wanted) + "]"});
  }
  std::ranges::sort(replacements, {}, [](const Replacement& one) { return one.range.begin; });
  std::string text;
  std::uint32_t at = scalar.range.begin;
  for (const Replacement& one : replacements) {
    text += std::string(context_.reporter.source().slice({at, one.range.begin})) + one.text;
    at = one.range.end;
  }
  text = on_one_line(text + std::string(context_.reporter.source().slice({at, scalar.range.end})));
  if (norms.size() == 1) return text;
  if (is_sum(scalar) && !text.starts_with('(')) text = "(" + text + ")";
  // A scalar given for gravity is its magnitude; the vector points down, so it gets a minus sign.
  const bool is_size = what.starts_with("gravity") && !text.starts_with('-');
  return (is_size ? "-" : "") + text + "*" + direction_meant(scalar, what);
}

std::string Checker::direction_meant(const lang::Expression& scalar, std::string_view what) const {
  const std::string& ground = context_.model.frames[0].name;
  const auto is_coordinate = [&](const std::string& name) {
    const Symbol* symbol = context_.scope.find(name);
    return symbol != nullptr && symbol->kind == SymbolKind::kCoordinate;
  };
  if (what.starts_with("gravity")) return ground + (is_coordinate("z") ? ".z" : ".y");
  if (context_.turned) return axis_of_turn(*context_.turned);
  std::vector<std::string> names;
  coordinates_in(scalar, context_.scope, names);
  if (names.size() == 1 && (names.front() == "y" || names.front() == "z")) return ground + "." + names.front();
  return ground + ".x";
}

std::string Checker::axis_of_turn(FrameId frame) const {
  const Model& model = context_.model;
  const std::string none = model.frames[0].name + ".x";
  int axis = -1;
  bool is_plane = true;
  std::string nearest;
  for (FrameId at = frame; at != Model::newtonian(); at = model.frame(at).parent) {
    const model::Frame& its = model.frame(at);
    if (its.quaternion) return nearest.empty() ? none : nearest;
    for (auto turn = its.rotations.rbegin(); turn != its.rotations.rend(); ++turn) {
      is_plane = is_plane && turn->axis >= 0 && (axis < 0 || turn->axis == axis);
      if (turn->axis < 0) return nearest.empty() ? none : nearest;
      axis = turn->axis;
      const FrameId parent = model::shared_frame(model, its.parent);
      if (nearest.empty() && context_.facts.holds(turn->angle) != kHoldsNothing)
        nearest = (its.rotations.size() == 1 ? model.frame(parent).name : its.name) + "." + "xyz"[axis];
    }
  }
  if (nearest.empty()) return none;
  return is_plane ? model.frames[0].name + "." + "xyz"[axis] : nearest;
}

/// Hint for `coord x, phi [rad]` if x is used as a length: the unit covers x too.
std::string Checker::hint_of_shared_unit(const lang::Expression& expression, const Dimension& found,
                                         const Dimension& wanted, std::string_view what) {
  std::vector<std::string> names;
  coordinates_in(expression, context_.scope, names);
  if (names.size() != 1) return {};
  const Symbol& symbol = *context_.scope.find(names.front());
  if (symbol.statement >= context_.file.statements.size()) return {};
  const auto* coords = std::get_if<lang::CoordStatement>(&context_.file.statements[symbol.statement].node);
  if (coords == nullptr) return {};
  for (const lang::CoordGroup& group : coords->groups) {
    const auto name = std::ranges::find(group.names, symbol.name, &lang::Name::text);
    if (name == group.names.end() || name + 1 == group.names.end() || !group.unit) continue;
    const Dimension its = symbol.declared.dimension * wanted / found, length = make_dimension(0, 1, 0);
    const bool is_angle = its.is_dimensionless();
    // Only lengths and angles are considered; in `sin(x)`, x may be a length with a missing factor.
    const bool fits = is_angle ? symbol.declared.dimension == length && what == "an angle"
                               : symbol.declared.dimension.is_dimensionless() && its == length;
    if (!fits) continue;
    std::string rest;
    for (auto other = group.names.begin(); other != group.names.end(); ++other) {
      if (other == name) continue;
      rest += ", " + other->text;
      // so that one cause is reported once
      Symbol* beside = other + 1 == group.names.end() ? nullptr : context_.scope.find(other->text);
      if (beside != nullptr) beside->state = SymbolState::kFaulty;
    }
    context_.scope.find(symbol.name)->state = SymbolState::kFaulty;
    return "a unit covers all names before it: `coord " + symbol.name + " [" + (is_angle ? "rad" : si_unit(its)) + "]" +
           rest + " " + std::string(context_.reporter.source().slice(group.unit->range)) + "`";
  }
  return {};
}

/// Hint for a force that contains accelerations, such as `generalized force on q = -J*q''`: it is an added inertia.
std::string Checker::hint_of_added_inertia(const lang::Expression& expression, diag::SourceRange acceleration,
                                           std::string_view what) const {
  std::vector<std::string> names;
  coordinates_in(expression, context_.scope, names);
  const std::string q = names.size() == 1 ? names.front() : "q";
  const std::string text = context_.reporter.as_written(acceleration);
  if (what == "a generalized force")
    return "for added inertia write `lagrangian J/2*" + q + "'^2`; a force that keeps an acceleration is a constraint";
  if (what == "a force")
    return "for added mass write a `particle` of that mass at the point; a part that moves by `" + text +
           "` is a constraint with its reaction";
  if (what == "a torque")
    return "for added inertia make that of the body larger, or write `lagrangian J/2*" + q + "'^2`";
  if (what.starts_with("the value of input"))
    return "a relation between an input and an acceleration is a constraint, `" + text + " = u`";
  return {};
}

std::string Checker::hint_of_measure(const lang::Expression& vector, int axis) const {
  return "a measure number of a vector is `dot(" + context_.reporter.as_written(vector.range) + ", " +
         context_.model.frames[0].name + "." + "xyz"[axis] + ")`";
}

bool Checker::is_number_to_be_closed(const lang::Expression& expression, const Value& value,
                                     const UnitValue& unit) const {
  if (!context_.model.has_units || !value.dimension.is_dimensionless() || value.is_doubtful) return false;
  if (!unit.dimension.is_dimensionless()) return true;
  if (unit.scale == 1.0 || holds_unit(expression)) return false;
  // If the value contains an angle, it is already a quantity.
  return std::ranges::all_of(model::in_order(value.term), [&](const model::Term node) {
    return node.kind() == model::TermKind::kParameter ? context_.model.parameters[node.index()].unit.si.empty()
                                                      : node.operand_count() > 0 || node.is_number();
  });
}

Value Checker::wrong_kind(const lang::Expression& expression, const Value& value, std::string_view wanted) {
  std::string hint;
  if (value.is(ValueKind::kConstraint))
    hint = "a constraint has results: `multiplier(c)`, `force(c, P)`, `residual(c)`";
  if (value.is(ValueKind::kPlace)) hint = "a point has a position from another one: `pos(P, O)`";
  if (value.is(ValueKind::kBody))
    hint = "a body has a mass centre, `center(B)`, and the vectors `.x`, `.y` and `.z` of its frame";
  if (value.is(ValueKind::kList) && wanted.ends_with("is a vector"))
    hint = "a list is not a vector: with a frame N write `a*N.x + b*N.y + c*N.z`";
  if (value.is(ValueKind::kList) && wanted.ends_with("is a scalar"))
    hint = "an entry of a list is `a[1]`; parameters with a value for each are `param d[1..2] = [1, 2]`";
  if (value.is(ValueKind::kScalar) && wanted.ends_with("is a vector"))
    hint = "give it a direction: `" + in_brackets_if_sum(expression) + "*" + context_.model.frames[0].name + ".x`";
  if (value.is(ValueKind::kFrame)) hint = "a frame has the vectors `.x`, `.y` and `.z`";
  return fault(Kind::kWrongKind, expression.range, std::string(wanted) + ", found " + std::string(describe(value.kind)),
               std::move(hint));
}

}  // namespace vinculum::elaborate
