#pragma once

#include <map>
#include <utility>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// Product of integer powers of atoms, by ascending node. Atoms are symbols, functions, and sums that are not expanded.
using Monomial = std::vector<std::pair<NodeId, int>>;
using Polynomial = std::map<Monomial, double>;

/// The product a·b, or the quotient a/b if sign is −1.
[[nodiscard]] Monomial product(const Monomial& a, const Monomial& b, int sign = 1);
/// Common factor of a and b: the numerator factors that occur in both, and the denominator factors that occur in either
/// (so that the result has one fraction bar).
[[nodiscard]] Monomial common(const Monomial& a, const Monomial& b);
[[nodiscard]] int exponent_in(const Monomial& m, NodeId atom);
[[nodiscard]] bool is_divisible(const Monomial& m, const Monomial& by);
/// p += c·m. If the new coefficient is only a rounding error, the monomial is removed.
void add_to(Polynomial& p, const Monomial& m, double c);

}  // namespace vinculum::expr
