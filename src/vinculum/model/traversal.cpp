#include "vinculum/model/traversal.hpp"

#include <algorithm>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/id_set.hpp"

namespace vinculum::model {
namespace {

/// All subterms in preorder from left to right, each one once.
template <class IsKnown>
std::vector<Term> as_read(Term root, const IsKnown& is_known) {
  std::vector<Term> found, open{root};
  IdSet<TermTag> seen;
  while (!open.empty()) {
    const Term term = open.back();
    open.pop_back();
    if (!seen.insert(term.id()) || is_known(term)) continue;
    found.push_back(term);
    const TermPool::Node& node = term.pool().node(term.id());
    for (std::size_t i = std::size(node.operands); i-- > 0;) {
      if (node.operands[i].is_valid() && !seen.contains(node.operands[i]))
        open.emplace_back(&term.pool(), node.operands[i]);
    }
  }
  return found;
}

constexpr auto kNothing = [](Term) { return false; };

std::vector<Term> sorted(std::vector<Term> terms) {
  std::sort(terms.begin(), terms.end(), [](Term a, Term b) { return a.id() < b.id(); });
  return terms;
}

}  // namespace

std::vector<Term> in_order(Term root) { return sorted(as_read(root, kNothing)); }
std::vector<Term> in_order(Term root, const std::function<bool(Term)>& is_known) {
  return sorted(as_read(root, is_known));
}

std::vector<Term> leaves_as_read(Term root) {
  std::vector<Term> leaves = as_read(root, kNothing);
  std::erase_if(leaves, [](Term term) { return term.operand_count() > 0; });
  return leaves;
}

Term with_operands(Term term, std::span<const Term> operands) {
  VINCULUM_EXPECTS(static_cast<int>(operands.size()) == term.operand_count());
  bool is_same = true;
  for (std::size_t i = 0; i < operands.size(); ++i)
    is_same = is_same && operands[i] == term.operand(static_cast<int>(i));
  if (is_same) return term;
  TermPool& pool = term.pool();
  const auto operand = [&](std::size_t i) { return i < operands.size() ? operands[i] : Term{}; };
  switch (term.kind()) {
    case TermKind::kFunction: return pool.function(term.op(), operand(0), operand(1), operand(2));
    case TermKind::kTable: return pool.table(pool.spline(term.index()), term.order(), operand(0));
    case TermKind::kDot: return pool.dot(operand(0), operand(1));
    case TermKind::kNorm: return pool.norm(operand(0));
    case TermKind::kPartial: return pool.partial(operand(0), operand(1));
    case TermKind::kRate: return pool.rate(operand(0), term.order());
    case TermKind::kVectorAdd: return pool.vector_add(operand(0), operand(1));
    case TermKind::kVectorSubtract: return pool.vector_subtract(operand(0), operand(1));
    case TermKind::kVectorNegate: return pool.vector_negate(operand(0));
    case TermKind::kScale: return pool.scale(operand(0), operand(1));
    case TermKind::kCross: return pool.cross(operand(0), operand(1));
    case TermKind::kUnit: return pool.unit(operand(0));
    case TermKind::kVectorSelect: return pool.vector_select(operand(0), operand(1), operand(2));
    default: return term;
  }
}

}  // namespace vinculum::model
