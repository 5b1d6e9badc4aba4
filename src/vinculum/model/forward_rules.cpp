#include "vinculum/model/forward_rules.hpp"

#include <array>

#include "vinculum/base/contract.hpp"
#include "vinculum/model/scalar_rules.hpp"

namespace vinculum::model {

using expr::Op;

Term derivative_by_operands(Term term, const std::function<Term(Term)>& derivative_of) {
  TermPool& pool = term.pool();
  switch (term.kind()) {
    case TermKind::kDot: {
      const Term a = term.operand(0), b = term.operand(1);
      if (a == b) return 2.0 * pool.dot(a, derivative_of(a));
      return pool.dot(derivative_of(a), b) + pool.dot(a, derivative_of(b));
    }
    case TermKind::kNorm: {
      const Term a = term.operand(0), a_rate = derivative_of(a);
      return a_rate.is_zero() ? pool.number(0.0) : pool.dot(a, a_rate) / term;
    }
    case TermKind::kFunction:
    case TermKind::kTable: {
      if (const auto branch = branch_of(term)) {
        return pool.function(Op::kSelect, branch->condition, derivative_of(branch->if_true),
                             derivative_of(branch->if_false));
      }
      const std::array<Term, 3> partials = partial_derivatives(term);
      Term sum = pool.number(0.0);
      for (int i = 0; i < term.operand_count(); ++i) {
        const Term inner = derivative_of(term.operand(i));
        if (!inner.is_zero()) sum = sum + partials[static_cast<std::size_t>(i)] * inner;
      }
      return sum;
    }
    case TermKind::kVectorAdd: return derivative_of(term.operand(0)) + derivative_of(term.operand(1));
    case TermKind::kVectorSubtract: return derivative_of(term.operand(0)) - derivative_of(term.operand(1));
    case TermKind::kVectorNegate: return -derivative_of(term.operand(0));
    case TermKind::kScale: {
      const Term s = term.operand(0), v = term.operand(1);
      return derivative_of(s) * v + s * derivative_of(v);
    }
    case TermKind::kCross: {
      const Term a = term.operand(0), b = term.operand(1);
      return pool.cross(derivative_of(a), b) + pool.cross(a, derivative_of(b));
    }
    case TermKind::kUnit: {
      const Term v = term.operand(0), v_rate = derivative_of(v);
      if (v_rate.is_zero()) return v_rate;
      return (v_rate - pool.dot(v_rate, term) * term) / pool.norm(v);
    }
    case TermKind::kVectorSelect:
      return pool.vector_select(term.operand(0), derivative_of(term.operand(1)), derivative_of(term.operand(2)));
    default: break;
  }
  contract_broken("a term made of operands has a derivative", __FILE__, __LINE__);
}

}  // namespace vinculum::model
