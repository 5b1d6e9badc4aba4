#include "vinculum/model/scalar_rules.hpp"

#include "vinculum/base/contract.hpp"

namespace vinculum::model {

using expr::Op;

std::optional<Branch> branch_of(Term term) {
  if (term.kind() != TermKind::kFunction) return std::nullopt;
  const auto ordered = [&](int low, int high) {
    const Term condition = term.pool().function(Op::kLessEqual, term.operand(low), term.operand(high));
    return Branch{condition, term.operand(0), term.operand(1)};
  };
  switch (term.op()) {
    case Op::kSelect: return Branch{term.operand(0), term.operand(1), term.operand(2)};
    case Op::kMinimum: return ordered(0, 1);
    case Op::kMaximum: return ordered(1, 0);
    default: return std::nullopt;
  }
}

std::array<Term, 3> partial_derivatives(Term f) {
  TermPool& pool = f.pool();
  const Term zero = pool.number(0.0), one = pool.number(1.0);
  const Term x = f.operand(0);
  const Term y = f.operand_count() > 1 ? f.operand(1) : Term{};
  if (f.kind() == TermKind::kTable) return {pool.table(pool.spline(f.index()), f.order() + 1, x), {}, {}};
  VINCULUM_EXPECTS(f.kind() == TermKind::kFunction);

  const auto of = [&pool](Op op, Term a, Term b = {}) { return pool.function(op, a, b); };
  const auto squared = [&](Term a) { return of(Op::kPower, a, pool.number(2.0)); };
  switch (f.op()) {
    case Op::kAdd: return {one, one, {}};
    case Op::kSubtract: return {one, -one, {}};
    case Op::kMultiply: return {y, x, {}};
    case Op::kDivide: return {one / y, y.is_number() ? zero : -(f / y), {}};
    case Op::kNegate: return {-one, {}, {}};
    case Op::kPower: {
      // A power with a constant exponent may have a base < 0. The derivative by the exponent, log(x), is omitted then.
      const Term by_base = y * of(Op::kPower, x, y - 1.0);
      if (y.is_number() || y.kind() == TermKind::kParameter) return {by_base, zero, {}};
      return {by_base, f * of(Op::kLogarithm, x), {}};
    }
    case Op::kSquareRoot: return {one / (2.0 * f), {}, {}};
    case Op::kExponential: return {f, {}, {}};
    case Op::kLogarithm: return {one / x, {}, {}};
    case Op::kSine: return {of(Op::kCosine, x), {}, {}};
    case Op::kCosine: return {-of(Op::kSine, x), {}, {}};
    case Op::kTangent: return {1.0 + squared(f), {}, {}};
    case Op::kArcSine: return {one / of(Op::kSquareRoot, 1.0 - squared(x)), {}, {}};
    case Op::kArcCosine: return {-(one / of(Op::kSquareRoot, 1.0 - squared(x))), {}, {}};
    case Op::kArcTangent: return {one / (1.0 + squared(x)), {}, {}};
    case Op::kArcTangent2: {
      const Term r2 = squared(x) + squared(y);
      return {y / r2, -(x / r2), {}};
    }
    case Op::kHyperbolicSine: return {of(Op::kHyperbolicCosine, x), {}, {}};
    case Op::kHyperbolicCosine: return {of(Op::kHyperbolicSine, x), {}, {}};
    case Op::kHyperbolicTangent: return {1.0 - squared(f), {}, {}};
    case Op::kAbsolute: return {of(Op::kSign, x), {}, {}};
    case Op::kSign:
    case Op::kFloor:
    case Op::kNot: return {zero, {}, {}};
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kAnd:
    case Op::kOr: return {zero, zero, {}};
    case Op::kMinimum:
    case Op::kMaximum:
    case Op::kSelect:
    case Op::kConstant:
    case Op::kSymbol:
    case Op::kTable: break;
  }
  contract_broken("a function has a derivative", __FILE__, __LINE__);
}

}  // namespace vinculum::model
