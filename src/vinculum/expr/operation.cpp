#include "vinculum/expr/operation.hpp"

#include <cmath>
#include <limits>

#include "vinculum/base/contract.hpp"
#include "vinculum/expr/elementary/arc.hpp"
#include "vinculum/expr/elementary/circular.hpp"
#include "vinculum/expr/elementary/exponential.hpp"
#include "vinculum/expr/elementary/hyperbolic.hpp"

namespace vinculum::expr {
namespace {

constexpr int kCall = 100;

// Precedences of infix forms: if-else 1, or 2, and 3, not 4, comparison 5, sum 6, product 7, sign 7, power 9.
constexpr OperationInfo kTable[] = {
    {Op::kConstant, "", "", 0, kCall, "", ""},
    {Op::kSymbol, "", "", 0, kCall, "", ""},
    {Op::kAdd, "", "+", 2, 6, "+", "+"},
    {Op::kSubtract, "", "-", 2, 6, "-", "-"},
    {Op::kMultiply, "", "*", 2, 7, "\\,", "*"},
    {Op::kDivide, "", "/", 2, 7, "\\frac", "/"},
    {Op::kNegate, "", "-", 1, 7, "-", "-"},
    {Op::kPower, "", "^", 2, 9, "^", "pow"},
    {Op::kSquareRoot, "sqrt", "", 1, kCall, "\\sqrt", "sqrt"},
    {Op::kExponential, "exp", "", 1, kCall, "\\exp", "exp"},
    {Op::kLogarithm, "log", "", 1, kCall, "\\ln", "log"},
    {Op::kSine, "sin", "", 1, kCall, "\\sin", "sin"},
    {Op::kCosine, "cos", "", 1, kCall, "\\cos", "cos"},
    {Op::kTangent, "tan", "", 1, kCall, "\\tan", "tan"},
    {Op::kArcSine, "asin", "", 1, kCall, "\\arcsin", "asin"},
    {Op::kArcCosine, "acos", "", 1, kCall, "\\arccos", "acos"},
    {Op::kArcTangent, "atan", "", 1, kCall, "\\arctan", "atan"},
    {Op::kArcTangent2, "atan2", "", 2, kCall, "\\operatorname{atan2}", "atan2"},
    {Op::kHyperbolicSine, "sinh", "", 1, kCall, "\\sinh", "sinh"},
    {Op::kHyperbolicCosine, "cosh", "", 1, kCall, "\\cosh", "cosh"},
    {Op::kHyperbolicTangent, "tanh", "", 1, kCall, "\\tanh", "tanh"},
    {Op::kAbsolute, "abs", "", 1, kCall, "", "fabs"},
    {Op::kSign, "sign", "", 1, kCall, "\\operatorname{sign}", ""},
    {Op::kFloor, "floor", "", 1, kCall, "", "floor"},
    {Op::kMinimum, "min", "", 2, kCall, "\\min", ""},
    {Op::kMaximum, "max", "", 2, kCall, "\\max", ""},
    {Op::kLess, "", "<", 2, 5, "<", "<"},
    {Op::kLessEqual, "", "<=", 2, 5, "\\le", "<="},
    {Op::kEqual, "", "==", 2, 5, "=", "=="},
    {Op::kNotEqual, "", "!=", 2, 5, "\\ne", "!="},
    {Op::kAnd, "", "and", 2, 3, "\\land", "&&"},
    {Op::kOr, "", "or", 2, 2, "\\lor", "||"},
    {Op::kNot, "", "not", 1, 4, "\\lnot", "!"},
    {Op::kSelect, "", "if", 3, 1, "", "?"},
    {Op::kTable, "table", "", 1, kCall, "\\operatorname{table}", ""},
};

double truth(bool condition) { return condition ? 1.0 : 0.0; }

double power_by_squaring(double x, int n) {
  int bit = 1;
  while (bit * 2 <= n) bit *= 2;
  double p = x;
  for (bit /= 2; bit > 0; bit /= 2) {
    p = p * p;
    if ((n & bit) != 0) p = p * x;
  }
  return p;
}

}  // namespace

std::span<const OperationInfo> operation_table() { return kTable; }

const OperationInfo& operation_info(Op op) {
  VINCULUM_EXPECTS(static_cast<std::size_t>(op) < std::size(kTable));
  // the entries are in the order of the enumeration (tested by operation_test)
  return kTable[static_cast<std::size_t>(op)];
}

bool find_power_plan(double exponent, PowerPlan& plan) noexcept {
  const double size = std::fabs(exponent);
  if (!(size < kLargestWholePower + 1) || 2.0 * size != std::floor(2.0 * size)) return false;
  plan.whole = static_cast<int>(size);
  plan.has_root = size != plan.whole;
  plan.is_reciprocal = exponent < 0.0;
  return true;
}

double evaluate_power(double x, double y) noexcept {
  PowerPlan plan;
  if (!find_power_plan(y, plan)) return elementary::power(x, y);
  double p = 1.0;
  if (plan.whole > 0) {
    p = power_by_squaring(x, plan.whole);
    if (plan.has_root) p = p * std::sqrt(x);
  } else if (plan.has_root) {
    p = std::sqrt(x);
  }
  return plan.is_reciprocal ? 1.0 / p : p;
}

double evaluate_operation(Op op, double first, double second, double third) noexcept {
  switch (op) {
    case Op::kAdd: return first + second;
    case Op::kSubtract: return first - second;
    case Op::kMultiply: return first * second;
    case Op::kDivide: return first / second;
    case Op::kNegate: return -first;
    case Op::kPower: return evaluate_power(first, second);
    case Op::kSquareRoot: return std::sqrt(first);
    case Op::kExponential: return elementary::exponential(first);
    case Op::kLogarithm: return elementary::logarithm(first);
    case Op::kSine: return elementary::sine(first);
    case Op::kCosine: return elementary::cosine(first);
    case Op::kTangent: return elementary::tangent(first);
    case Op::kArcSine: return elementary::arc_sine(first);
    case Op::kArcCosine: return elementary::arc_cosine(first);
    case Op::kArcTangent: return elementary::arc_tangent(first);
    case Op::kArcTangent2: return elementary::arc_tangent2(first, second);
    case Op::kHyperbolicSine: return elementary::hyperbolic_sine(first);
    case Op::kHyperbolicCosine: return elementary::hyperbolic_cosine(first);
    case Op::kHyperbolicTangent: return elementary::hyperbolic_tangent(first);
    case Op::kAbsolute: return std::fabs(first);
    case Op::kSign: return first > 0.0 ? 1.0 : first < 0.0 ? -1.0 : first;
    case Op::kFloor: return std::floor(first);
    case Op::kMinimum: return first < second || first != first ? first : second;
    case Op::kMaximum: return first > second || first != first ? first : second;
    case Op::kLess: return truth(first < second);
    case Op::kLessEqual: return truth(first <= second);
    case Op::kEqual: return truth(first == second);
    case Op::kNotEqual: return truth(first != second);
    case Op::kAnd: return truth(first != 0.0 && second != 0.0);
    case Op::kOr: return truth(first != 0.0 || second != 0.0);
    case Op::kNot: return truth(first == 0.0);
    case Op::kSelect: return first != 0.0 ? second : third;
    case Op::kConstant:
    case Op::kSymbol:
    case Op::kTable: break;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace vinculum::expr
