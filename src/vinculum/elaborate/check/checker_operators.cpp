#include <cmath>
#include <optional>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/elaborate/check/checker.hpp"
#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/lang/operators.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using diag::Severity;
using expr::Op;
using lang::BinaryOperator;
using model::Term;

namespace {

/// The fraction closest to a constant exponent, which is a decimal because `1/3` has been divided already. Nothing if
/// no fraction with a small denominator is close enough.
std::optional<Rational> as_fraction(double exponent) {
  constexpr int kLargestDenominator = 12;
  constexpr double kLargestExponent = 100.0;
  if (!(std::abs(exponent) <= kLargestExponent)) return std::nullopt;
  for (int denominator = 1; denominator <= kLargestDenominator; ++denominator) {
    const double numerator = std::round(exponent * denominator);
    if (std::abs(numerator / denominator - exponent) <= tolerance::kEqual * std::abs(exponent)) {
      return make_rational(static_cast<int>(numerator), denominator);
    }
  }
  return std::nullopt;
}

/// The name x if the expression is `dx/dt`; otherwise empty.
std::string variable_of_quotient(const lang::Binary& node) {
  const lang::NameReference *above = as_name(*node.left), *below = as_name(*node.right);
  if (node.op != BinaryOperator::kDivide || above == nullptr || below == nullptr || below->name != "dt") return {};
  return above->name.starts_with('d') ? above->name.substr(1) : std::string();
}

}  // namespace

Value Checker::two_kinds(const lang::Binary& node, const Value& left, const Value& right, std::string_view wanted,
                         std::string hint) {
  const bool is_list_for_vector =
      (left.is(ValueKind::kList) && (right.is(ValueKind::kVector) || right.is(ValueKind::kPlace))) ||
      (right.is(ValueKind::kList) && (left.is(ValueKind::kVector) || left.is(ValueKind::kPlace)));
  if (hint.empty() && is_list_for_vector) hint = "a list is not a vector: with a frame N write `a*N.x + b*N.y + c*N.z`";
  return contrast(Kind::kWrongKind, quote(lang::operator_info(node.op).spelling) + " needs " + std::string(wanted),
                  {node.left->range, std::string(describe(left.kind))},
                  {node.right->range, std::string(describe(right.kind))}, std::move(hint));
}

Value Checker::binary(const lang::Binary& node) {
  if (const std::string variable = variable_of_quotient(node); !variable.empty() && context_.scope.find(variable)) {
    return fault(Kind::kUnknownName, cover(node.left->range, node.right->range),
                 "a derivative is not written as a quotient",
                 "the time derivative of `" + variable + "` is `" + variable + "'`");
  }
  const Value left = evaluate(*node.left), right = evaluate(*node.right);
  if (left.is_fault() || right.is_fault()) return fault();
  switch (node.op) {
    case BinaryOperator::kAdd:
    case BinaryOperator::kSubtract: return sum(node, left, right);
    case BinaryOperator::kMultiply: return product(node, left, right);
    case BinaryOperator::kDivide: return quotient(node, left, right);
    case BinaryOperator::kPower: return power_of(node, left, right);
    default: return combine(node, left, right);
  }
}

Value Checker::combine(const lang::Binary& node, const Value& left, const Value& right) {
  if (node.op != BinaryOperator::kAnd && node.op != BinaryOperator::kOr) return comparison(node, left, right);
  if (!left.is(ValueKind::kCondition) || !right.is(ValueKind::kCondition))
    return two_kinds(node, left, right, "two conditions");
  return make_condition(pool_.function(node.op == BinaryOperator::kAnd ? Op::kAnd : Op::kOr, left.term, right.term));
}

Value Checker::sum(const lang::Binary& node, Value left, Value right) {
  const bool is_sum = node.op == BinaryOperator::kAdd;
  if (left.is_array() && right.is_array()) return sum_of_arrays(node, left, right);
  left = as_place(left);
  right = as_place(right);
  if (left.is(ValueKind::kPlace) || (right.is(ValueKind::kPlace) && is_sum)) {
    const bool is_place_left = left.is(ValueKind::kPlace);
    Value place = is_place_left ? left : right;
    const Value offset = as_vector(is_place_left ? right : left);
    const lang::Expression& offset_side = is_place_left ? *node.right : *node.left;
    if (offset.is(ValueKind::kPlace) && !is_sum) {
      return two_kinds(node, left, right, "two scalars, two vectors, or a point and a vector",
                       "the vector between two points is `pos(P, O)`");
    }
    if (!offset.is(ValueKind::kVector)) {
      std::string hint;
      if (offset.is(ValueKind::kScalar)) {
        const lang::NameReference* name = as_name(is_place_left ? *node.left : *node.right);
        const Symbol* symbol = name == nullptr ? nullptr : context_.scope.find(name->name);
        const bool is_body = symbol != nullptr && symbol->kind == SymbolKind::kBody;
        hint = "give the offset a direction: `" + in_brackets_if_sum(offset_side) + "*" +
               (is_body ? symbol->name : context_.model.frames[0].name) + ".x`";
      }
      return two_kinds(node, left, right, "a point and a vector", std::move(hint));
    }
    if (!has_dimension(offset_side, offset, make_dimension(0, 1, 0), "an offset from a point")) return fault();
    const Term step = is_sum ? offset.term : -offset.term;
    place.term = place.term.is_valid() ? place.term + step : step;
    return place;
  }
  if (left.is(ValueKind::kVector)) right = as_vector(right);
  if (right.is(ValueKind::kVector)) left = as_vector(left);
  if (!left.is_quantity() || left.kind != right.kind) {
    const bool is_mixed = left.is_quantity() && right.is_quantity();
    const lang::Expression& vector = left.is(ValueKind::kVector) ? *node.left : *node.right;
    return two_kinds(node, left, right, "two scalars or two vectors",
                     is_mixed
                         ? "a component of a vector is a scalar: `dot(" + context_.reporter.as_written(vector.range) +
                               ", " + context_.model.frames[0].name + ".x)`"
                         : "");
  }
  if (!agree(*node.left, left, *node.right, right,
             "the two sides of `" + std::string(lang::operator_info(node.op).spelling) + "` differ in dimension"))
    return fault();
  Value result = left.fits_any ? right : left;
  result.turning = left.turning + right.turning;
  result.term = is_sum ? left.term + right.term : left.term - right.term;
  result.fits_any = left.fits_any && right.fits_any;
  return result;
}

Value Checker::product(const lang::Binary& node, const Value& left, const Value& right) {
  if (left.is_array() || right.is_array()) return product_of_arrays(node, left, right);
  if (left.is(ValueKind::kVector) && right.is(ValueKind::kVector)) {
    return two_kinds(node, left, right, "a scalar on one side at least", "write `dot(a, b)` or `cross(a, b)`");
  }
  if (!left.is_quantity() || !right.is_quantity()) return two_kinds(node, left, right, "scalars and vectors");
  if (left.term.is_number() && right.term.is_number() && !std::isfinite(left.term.value() * right.term.value()))
    return fault(Kind::kBadValue, cover(node.left->range, node.right->range), "this is not a finite number");
  const bool is_vector = left.is(ValueKind::kVector) || right.is(ValueKind::kVector);
  const Dimension dimension = left.dimension * right.dimension;
  Value result =
      is_vector ? make_vector(left.term * right.term, dimension) : make_scalar(left.term * right.term, dimension);
  const Turning turning = left.turning * right.turning;
  result.turning = {is_vector ? result.turning.turns : turning.turns, turning.is_reaction};
  result.fits_any = left.fits_any || right.fits_any;
  return result;
}

Value Checker::quotient(const lang::Binary& node, const Value& left, const Value& right) {
  if ((!left.is_quantity() && !left.is_array()) || !right.is(ValueKind::kScalar)) {
    return two_kinds(node, left, right, "a scalar on its right",
                     right.is(ValueKind::kMatrix) ? "linear equations are solved by `solve(A, b)`" : "");
  }
  if (right.term.is_zero())
    return fault(Kind::kBadValue, node.right->range, "this is zero, which nothing can be divided by");
  if (left.is_array()) {
    std::vector<Entry> entries = left.entries;
    for (Entry& entry : entries) {
      entry = {entry.term / right.term, entry.dimension / right.dimension, entry.fits_any,
               entry.turning * right.turning};
    }
    return make_array(left, std::move(entries));
  }
  const Dimension dimension = left.dimension / right.dimension;
  const Term term = left.term / right.term;
  Value result = left.is(ValueKind::kVector) ? make_vector(term, dimension) : make_scalar(term, dimension);
  const Turning turning = left.turning * right.turning;
  result.turning = {left.is(ValueKind::kVector) ? result.turning.turns : turning.turns, turning.is_reaction};
  result.fits_any = left.fits_any;
  return result;
}

Value Checker::power_of(const lang::Binary& node, const Value& left, const Value& right) {
  if (!left.is(ValueKind::kScalar) || !right.is(ValueKind::kScalar)) {
    return two_kinds(node, left, right, "two scalars",
                     left.is(ValueKind::kVector) ? "the square of a vector is `dot(v, v)`" : "");
  }
  if (!has_dimension(*node.right, right, {}, "an exponent")) return fault();
  Value result = make_scalar(pool_.function(Op::kPower, left.term, right.term), {});
  const bool is_odd = right.term.is_number() && std::fabs(std::fmod(right.term.value(), 2.0)) == 1.0;
  result.turning = {left.turning.turns && is_odd, left.turning.is_reaction};
  if (!context_.model.has_units || left.dimension.is_dimensionless()) return result;
  if (!right.term.is_number()) {
    return contrast(Kind::kDimensionMismatch, "the base of a power with a varying exponent is dimensionless",
                    {node.left->range, describe_dimension(left)}, {node.right->range, "not a constant number"});
  }
  const std::optional<Rational> exponent = as_fraction(right.term.value());
  if (!exponent)
    return fault(
        Kind::kDimensionMismatch, node.right->range,
        "this exponent is not a simple fraction, so the power of " + describe_dimension(left) + " has no dimension");
  result.dimension = power(left.dimension, *exponent);
  return result;
}

Value Checker::comparison(const lang::Binary& node, const Value& left, const Value& right) {
  if (!left.is(ValueKind::kScalar) || !right.is(ValueKind::kScalar)) return two_kinds(node, left, right, "two scalars");
  if (!agree(*node.left, left, *node.right, right,
             "the two sides of `" + std::string(lang::operator_info(node.op).spelling) + "` differ in dimension"))
    return fault();
  const auto make = [&](Op op, const Value& a, const Value& b) {
    return make_condition(pool_.function(op, a.term, b.term));
  };
  switch (node.op) {
    case BinaryOperator::kLess: return make(Op::kLess, left, right);
    case BinaryOperator::kLessEqual: return make(Op::kLessEqual, left, right);
    case BinaryOperator::kGreater: return make(Op::kLess, right, left);
    case BinaryOperator::kGreaterEqual: return make(Op::kLessEqual, right, left);
    case BinaryOperator::kEqual: return make(Op::kEqual, left, right);
    default: return make(Op::kNotEqual, left, right);
  }
}

}  // namespace vinculum::elaborate
