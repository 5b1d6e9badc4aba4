#include "vinculum/expr/canonical.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "vinculum/expr/like_terms.hpp"
#include "vinculum/expr/series.hpp"

namespace vinculum::expr {
namespace {

bool is_constant(Expr e, double value) { return e.is_constant() && e.value() == value; }
Expr constant_like(Expr e, const Rounded& value) { return e.graph().constant(value); }

// e as offset + sign × core; sign = 0 for a constant.
struct Shifted {
  Rounded offset;
  double sign;
  Expr core;
};

Shifted split_offset(Expr e) {
  if (e.is_constant()) return {e.rounded(), 0.0, e};
  if (e.op() == Op::kAdd && e.operand(0).is_constant()) return {e.operand(0).rounded(), 1.0, e.operand(1)};
  if (e.op() == Op::kSubtract) {
    if (e.operand(1).is_constant()) return {-e.operand(1).rounded(), 1.0, e.operand(0)};
    if (e.operand(0).is_constant()) return {e.operand(0).rounded(), -1.0, e.operand(1)};
  }
  return {Rounded(), 1.0, e};
}

// a + b or a − b with their constant summands combined into one; invalid unless both have such a summand.
Expr collect_offsets(Op op, Expr a, Expr b) {
  const Shifted left = split_offset(a);
  Shifted right = split_offset(b);
  if (left.offset.value == 0.0 || right.offset.value == 0.0) return {};
  if (op == Op::kSubtract) {
    right.offset = -right.offset;
    right.sign = -right.sign;
  }
  const Rounded offset = met(left.offset, right.offset);
  if (!std::isfinite(offset.value)) return {};
  Expr rest = constant_like(a, 0.0);
  for (const Shifted& side : {left, right}) {
    if (side.sign > 0.0) rest = rest + side.core;
    if (side.sign < 0.0) rest = rest - side.core;
  }
  return offset.value < 0.0 ? rest - constant_like(a, -offset) : rest + constant_like(a, offset);
}

Expr add(Expr a, Expr b) {
  if (a.is_zero()) return b;
  if (Expr e = collect_offsets(Op::kAdd, a, b); e.is_valid()) return e;
  if (Expr e = collect_terms(Op::kAdd, a, b); e.is_valid()) return e;
  if (has_minus(b)) return a - -b;
  if (has_minus(a)) return b - -a;
  if (a.op() == Op::kSubtract && a.operand(1) == b) return a.operand(0);
  if (b.op() == Op::kSubtract && b.operand(1) == a) return b.operand(0);
  return {};
}

Expr subtract(Expr a, Expr b) {
  if (b.is_zero()) return a;
  if (a.is_zero()) return -b;
  if (Expr e = collect_offsets(Op::kSubtract, a, b); e.is_valid()) return e;
  if (Expr e = collect_terms(Op::kSubtract, a, b); e.is_valid()) return e;
  if (has_minus(b)) return a + -b;
  if (a.op() == Op::kNegate) return -(a.operand(0) + b);
  if (a.op() == Op::kAdd && a.operand(1) == b) return a.operand(0);
  if (a.op() == Op::kAdd && a.operand(0) == b) return a.operand(1);
  if (a.op() == Op::kSubtract && a.operand(0) == b) return -a.operand(1);
  if (b.op() == Op::kAdd && b.operand(0) == a) return -b.operand(1);
  if (b.op() == Op::kAdd && b.operand(1) == a) return -b.operand(0);
  if (b.op() == Op::kSubtract && b.operand(0) == a) return b.operand(1);
  return {};
}

Expr negate(Expr a) {
  switch (a.op()) {
    case Op::kNegate: return a.operand(0);
    case Op::kSubtract: return a.operand(1) - a.operand(0);
    case Op::kAdd:
      if (a.operand(0).is_constant()) return constant_like(a, -a.operand(0).rounded()) - a.operand(1);
      break;
    case Op::kMultiply:
      if (a.operand(0).is_constant()) return scale(-a.operand(0).rounded(), a.operand(1));
      break;
    case Op::kDivide:
      if (a.operand(0).is_constant()) return constant_like(a, -a.operand(0).rounded()) / a.operand(1);
      break;
    default: break;
  }
  return {};
}

// e as base^exponent with a positive integer exponent.
struct Raised {
  Expr base;
  int exponent;
};

Raised split_power(Expr e) {
  if (e.op() == Op::kMultiply && e.operand(0) == e.operand(1)) return {e.operand(0), 2};
  if (e.op() == Op::kPower && e.operand(1).is_constant()) {
    PowerPlan plan;
    if (find_power_plan(e.operand(1).value(), plan) && !plan.has_root && !plan.is_reciprocal) {
      return {e.operand(0), plan.whole};
    }
  }
  return {e, 1};
}

Expr multiply(Expr a, Expr b) {  // if an operand is constant, it is a, never b
  if (a.is_zero()) return a;
  if (is_constant(a, 1.0)) return b;
  if (is_constant(a, -1.0)) return -b;
  const Scaled right = split_factor(b);
  if (a.is_constant()) {
    const Rounded factor = a.rounded();
    if (right.factor.value != 1.0 && is_usable_factor(factor * right.factor))
      return scale(factor * right.factor, right.core);
    if (b.op() == Op::kDivide && b.operand(0).is_constant() && is_usable_factor(factor * b.operand(0).rounded()))
      return constant_like(a, factor * b.operand(0).rounded()) / b.operand(1);
    return {};
  }
  const Scaled left = split_factor(a);
  const Rounded factor = left.factor * right.factor;
  if ((left.factor.value != 1.0 || right.factor.value != 1.0) && is_usable_factor(factor))
    return scale(factor, left.core * right.core);
  const Raised x = split_power(a);
  const Raised y = split_power(b);
  if (x.base == y.base && x.exponent + y.exponent > 2 && x.exponent + y.exponent <= kLargestWholePower) {
    return power(x.base, x.exponent + y.exponent);
  }
  return {};
}

Expr divide(Expr a, Expr b) {
  if (is_constant(b, 1.0)) return a;
  if (is_constant(b, -1.0)) return -a;
  if (b.is_zero()) return {};
  const Scaled above = split_factor(a);
  if (b.is_constant()) {
    if (a.is_zero()) return a;
    const Rounded divisor = b.rounded();
    if (a.op() == Op::kDivide && a.operand(0).is_constant() && is_usable_factor(a.operand(0).rounded() / divisor))
      return constant_like(a, a.operand(0).rounded() / divisor) / a.operand(1);
    const Rounded factor = above.factor / divisor;
    return is_usable_factor(factor) ? scale(factor, above.core) : Expr();
  }
  const Scaled below = split_factor(b);
  if (a.is_constant()) {
    const Rounded factor = a.rounded() / below.factor;
    return below.factor.value != 1.0 && is_usable_factor(factor) ? constant_like(a, factor) / below.core : Expr();
  }
  const Rounded factor = above.factor / below.factor;
  if ((above.factor.value != 1.0 || below.factor.value != 1.0) && is_usable_factor(factor))
    return scale(factor, above.core / below.core);
  return {};
}

Expr raise(Expr base, Expr exponent) {
  if (!exponent.is_constant()) return {};
  const double n = exponent.value();
  if (n == 0.0) return constant_like(base, 1.0);
  if (n == 1.0) return base;
  if (n == 2.0) return base * base;
  if (n == 0.5) return square_root(base);
  if (n == -1.0) return 1.0 / base;
  PowerPlan plan;
  if (!find_power_plan(n, plan) || plan.has_root) return {};
  const Scaled scaled = split_factor(base);
  if (scaled.factor.value != 1.0) {  // (c x)^n = c^n x^n for an integer n of either sign
    const Rounded factor = evaluate_series(Op::kPower, Series(scaled.factor), Series(n)).value();
    if (is_usable_factor(factor)) return scale(factor, power(scaled.core, n));
  }
  const Raised inner = split_power(base);
  if (!plan.is_reciprocal && inner.exponent > 1 && inner.exponent * plan.whole <= kLargestWholePower) {
    return power(inner.base, inner.exponent * plan.whole);
  }
  return {};
}

// Whether −e, and not the difference e, is the canonical argument of an even or odd function.
bool is_reversed_difference(Expr e) {
  if (e.op() != Op::kSubtract) return false;
  if (e.operand(0).is_constant()) return true;
  return !e.operand(1).is_constant() && e.operand(1).node() < e.operand(0).node();
}

Expr even_or_odd(Op op, Expr a) {
  if (!has_minus(a) && !is_reversed_difference(a)) return {};
  const bool is_even = op == Op::kCosine || op == Op::kHyperbolicCosine || op == Op::kAbsolute;
  const Expr mirrored = a.graph().make(op, -a);
  return is_even ? mirrored : -mirrored;
}

bool is_truth_value(Expr e) {
  switch (e.op()) {
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kAnd:
    case Op::kOr:
    case Op::kNot: return true;
    default: return false;
  }
}

Expr truth_of(Expr e) { return is_truth_value(e) ? e : e.graph().make(Op::kNotEqual, e, constant_like(e, 0.0)); }

Expr logical(Op op, Expr a, Expr b) {  // if an operand is constant, it is a, never b
  if (a == b) return truth_of(a);
  if (!a.is_constant()) return {};
  const bool decides = (a.value() != 0.0) == (op == Op::kOr);
  return decides ? constant_like(a, a.value() != 0.0 ? 1.0 : 0.0) : truth_of(b);
}

Expr choose(Expr condition, Expr if_true, Expr if_false) {
  if (if_true == if_false) return if_true;
  if (condition.is_constant()) return condition.value() != 0.0 ? if_true : if_false;
  if (condition.op() == Op::kNot) return select(condition.operand(0), if_false, if_true);
  return {};
}

Expr folded(Op op, Expr a, Expr b, Expr c) {
  const int arity = operation_info(op).arity;
  if (!a.is_constant() || (arity > 1 && !b.is_constant()) || (arity > 2 && !c.is_constant())) return {};
  const auto value =
      evaluate_rounded(op, a.rounded(), arity > 1 ? b.rounded() : Rounded(), arity > 2 ? c.rounded() : Rounded());
  return std::isfinite(value.value) ? constant_like(a, value) : Expr();
}

}  // namespace

bool is_commutative(Op op) {
  switch (op) {
    case Op::kAdd:
    case Op::kMultiply:
    case Op::kMinimum:
    case Op::kMaximum:
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kAnd:
    case Op::kOr: return true;
    default: return false;
  }
}

bool has_minus(Expr e) {
  switch (e.op()) {
    case Op::kConstant: return e.value() < 0.0;
    case Op::kNegate: return true;
    case Op::kMultiply:
    case Op::kDivide: return e.operand(0).is_constant() && e.operand(0).value() < 0.0;
    default: return false;
  }
}

Expr canonical_form(Op op, Expr first, Expr second, Expr third) {
  if (const Expr value = folded(op, first, second, third); value.is_valid()) return value;
  switch (op) {
    case Op::kAdd: return add(first, second);
    case Op::kSubtract: return subtract(first, second);
    case Op::kMultiply: return multiply(first, second);
    case Op::kDivide: return divide(first, second);
    case Op::kNegate: return negate(first);
    case Op::kPower: return raise(first, second);
    case Op::kSine:
    case Op::kTangent:
    case Op::kArcSine:
    case Op::kArcTangent:
    case Op::kHyperbolicSine:
    case Op::kHyperbolicTangent:
    case Op::kSign:
    case Op::kCosine:
    case Op::kHyperbolicCosine: return even_or_odd(op, first);
    case Op::kAbsolute: return first.op() == Op::kAbsolute ? first : even_or_odd(op, first);
    case Op::kMinimum:
    case Op::kMaximum: return first == second ? first : Expr();
    case Op::kLess: return first == second ? constant_like(first, 0.0) : Expr();
    case Op::kAnd:
    case Op::kOr: return logical(op, first, second);
    case Op::kSelect: return choose(first, second, third);
    default: return {};
  }
}

}  // namespace vinculum::expr
