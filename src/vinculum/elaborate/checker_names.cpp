#include <cmath>
#include <numbers>

#include "vinculum/elaborate/checker.hpp"
#include "vinculum/elaborate/syntax.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using mechanics::CoordinateId;
using mechanics::FrameId;
using mechanics::Level;
using mechanics::SpeedId;
using mechanics::Term;

namespace {

int axis_of(const std::string& name) {
  if (name == "x") return 0;
  if (name == "y") return 1;
  return name == "z" ? 2 : -1;
}

}  // namespace

Value Checker::name(const lang::Expression& expression, const lang::NameReference& node) {
  if (node.name == "t") return make_scalar(pool_.time(), make_dimension(0, 0, 1));
  if (node.name == "pi") return make_scalar(pool_.number(std::numbers::pi), {});
  if (const FunctionInfo* info = find_function(node.name)) {
    if (info->function == Function::kNotSupported) {
      context_.reporter.error(Kind::kNotSupported, expression.range, "`" + node.name + "` is not supported by this version");
      return fault();
    }
    if (info->max_arguments == 0) return named_energy(expression, *info);
  }
  const Symbol* symbol = context_.scope.resolve(node.name, expression.range, context_.statement);
  if (symbol == nullptr) return fault();
  Value value;
  switch (symbol->kind) {
    case SymbolKind::kParameter: {
      const mechanics::Parameter& parameter = context_.model.parameters[symbol->index];
      return make_scalar(pool_.parameter(mechanics::ParameterId(std::size_t{symbol->index})), parameter.dimension);
    }
    case SymbolKind::kCoordinate:
      return make_scalar(pool_.coordinate(CoordinateId(std::size_t{symbol->index})),
                         context_.model.coordinates[symbol->index].dimension);
    case SymbolKind::kSpeed:
      return make_scalar(pool_.speed(SpeedId(std::size_t{symbol->index})), context_.model.speeds[symbol->index].dimension);
    case SymbolKind::kLet:
    case SymbolKind::kOutput:
      if (symbol->state == SymbolState::kReady) return symbol->value;
      // Declared above, but put off until energies and reactions are known.
      context_.reporter.error(Kind::kNotAllowedHere, expression.range,
                              "`" + node.name + "` holds energies or forces of constraints, which " +
                                  std::string(context_.place) + " cannot use");
      return fault();
    case SymbolKind::kFrame:
      value.kind = ValueKind::kFrame;
      value.frame = FrameId(std::size_t{symbol->index});
      return value;
    case SymbolKind::kPoint:
      value.kind = ValueKind::kPlace;
      value.point = mechanics::PointId(std::size_t{symbol->index});
      return value;
    case SymbolKind::kConstraint:
      if (symbol->state != SymbolState::kReady) {
        context_.reporter.error(Kind::kNotAllowedHere, expression.range,
                                "results of a constraint cannot be used in " + std::string(context_.place));
        return fault();
      }
      value.kind = ValueKind::kConstraint;
      value.constraint = mechanics::ConstraintId(std::size_t{symbol->index});
      value.dimension = context_.model.constraints[symbol->index].dimension;
      return value;
  }
  return fault();
}

Value Checker::prime(const lang::Expression& expression, const lang::Prime& node) {
  const lang::NameReference* variable = as_name(*node.operand);
  const std::string_view hint = "write `dt(...)` for the time derivative of an expression";
  if (variable == nullptr) {
    if (std::holds_alternative<lang::Index>(node.operand->node)) {
      context_.reporter.error(Kind::kNotSupported, node.operand->range, "indexed names are not supported by this version");
    } else {
      context_.reporter.error(Kind::kWrongKind, expression.range, "a prime follows the name of a coordinate or a speed",
                              std::string(hint));
    }
    return fault();
  }
  const Value whole = evaluate(*node.operand);
  if (whole.is_fault()) return fault();
  const Symbol* symbol = context_.scope.find(variable->name);
  const bool is_coordinate = symbol != nullptr && symbol->kind == SymbolKind::kCoordinate;
  const bool is_speed = symbol != nullptr && symbol->kind == SymbolKind::kSpeed;
  if (!is_coordinate && !is_speed) {
    context_.reporter.error(Kind::kWrongKind, expression.range,
                            "a prime follows the name of a coordinate or a speed, found " +
                                (symbol == nullptr ? "`" + variable->name + "`" : with_article(std::string(to_string(symbol->kind)))),
                            std::string(hint));
    return fault();
  }
  if (node.count > (is_coordinate ? 2 : 1)) {
    context_.reporter.error(Kind::kDerivativeOrder, expression.range,
                            is_coordinate ? "time derivatives of a coordinate go up to the second"
                                          : "a speed has a first time derivative only");
    return fault();
  }
  const Term term = is_coordinate ? pool_.coordinate(CoordinateId(std::size_t{symbol->index}), node.count)
                                  : pool_.speed(SpeedId(std::size_t{symbol->index}), node.count);
  return make_scalar(term, per_time({1.0, whole.dimension}, node.count).dimension);
}

Value Checker::index(const lang::Expression& expression, const lang::Index& node) {
  if (const auto* plain = as_name(*node.operand)) {
    const Symbol* symbol = context_.scope.find(plain->name);
    const bool is_variable = symbol != nullptr && (symbol->kind == SymbolKind::kCoordinate || symbol->kind == SymbolKind::kSpeed ||
                                                   symbol->kind == SymbolKind::kParameter || symbol->kind == SymbolKind::kPoint ||
                                                   symbol->kind == SymbolKind::kFrame);
    if (is_variable) {
      context_.reporter.error(Kind::kNotSupported, expression.range, "indexed names are not supported by this version");
      return fault();
    }
  }
  Value value = evaluate(*node.operand);
  if (value.is_fault()) return value;
  const bool is_constraint = value.is(ValueKind::kConstraint) && value.row < 0;
  if (!is_constraint && !value.is(ValueKind::kList)) {
    return wrong_kind(*node.operand, value, "an index follows a list or a constraint of several rows");
  }
  if (node.indices.size() != 1) {
    context_.reporter.error(Kind::kWrongArgumentCount, expression.range, "one index is wanted here");
    return fault();
  }
  const Value place = scalar(*node.indices[0], "an index");
  if (place.is_fault()) return fault();
  const std::size_t count = is_constraint ? context_.model.constraint(value.constraint).rows.size() : value.list.size();
  const double at = place.term.is_number() ? place.term.value() : 0.0;
  if (at != std::floor(at) || at < 1.0 || at > static_cast<double>(count)) {
    context_.reporter.error(Kind::kBadValue, node.indices[0]->range,
                            "this index is a whole number from 1 to " + std::to_string(count));
    return fault();
  }
  const int row = static_cast<int>(at) - 1;
  if (is_constraint) {
    value.row = row;
    return value;
  }
  const auto entry = static_cast<std::size_t>(row);
  return make_scalar(value.list[entry], value.list_dimensions.empty() ? value.dimension : value.list_dimensions[entry]);
}

Value Checker::member(const lang::Expression& expression, const lang::Member& node) {
  const Value value = evaluate(*node.operand);
  if (value.is_fault()) return fault();
  const int axis = axis_of(node.member.text);
  if (value.is(ValueKind::kFrame)) {
    if (axis >= 0) return make_vector(pool_.basis_vector(value.frame, axis), {});
    context_.reporter.error(Kind::kUnknownName, node.member.range,
                            "a frame has the vectors `x`, `y` and `z`, found `" + node.member.text + "`");
    return fault();
  }
  if (value.is(ValueKind::kVector)) {
    context_.reporter.error(Kind::kWrongKind, expression.range, "a vector has measure numbers only along given directions",
                            axis < 0 ? std::string()
                                     : "write `dot(" + std::string(context_.reporter.source().slice(node.operand->range)) + ", " +
                                           context_.model.frames[0].name + "." + node.member.text + ")`");
    return fault();
  }
  return wrong_kind(*node.operand, value, "`." + node.member.text + "` follows a frame");
}

}  // namespace vinculum::elaborate
