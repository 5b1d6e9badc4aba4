#include "vinculum/elaborate/check/table_terms.hpp"

namespace vinculum::elaborate {

using expr::Op;
using model::Term;
using model::TermPool;

Term table_term(TermPool& pool, const std::shared_ptr<const expr::Spline>& table, Outside outside, Term x) {
  if (outside == Outside::kError) return pool.table(table, 0, x);
  const Term first = pool.number(table->first()), last = pool.number(table->last()), zero = pool.number(0.0);
  const Term inside = pool.function(Op::kMinimum, pool.function(Op::kMaximum, x, first), last);
  Term value = pool.table(table, 0, inside);
  if (outside == Outside::kHold) return value;
  const double before = table->evaluate(table->first(), 1), after = table->evaluate(table->last(), 1);
  if (before != 0.0) value = value + pool.number(before) * pool.function(Op::kMinimum, x - first, zero);
  if (after != 0.0) value = value + pool.number(after) * pool.function(Op::kMaximum, x - last, zero);
  return value;
}

}  // namespace vinculum::elaborate
