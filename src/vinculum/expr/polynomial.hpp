#pragma once

#include <map>
#include <utility>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// Product of integer powers of atoms (symbols, functions, sums that are not expanded), by ascending node.
using Monomial = std::vector<std::pair<NodeId, int>>;
using Polynomial = std::map<Monomial, double>;

/// a·b, or a/b with sign −1.
[[nodiscard]] Monomial product(const Monomial& a, const Monomial& b, int sign = 1);
/// Common part of both: numerator factors that occur in both, and denominator factors of either (so that there is one
/// fraction bar).
[[nodiscard]] Monomial common(const Monomial& a, const Monomial& b);
[[nodiscard]] int exponent_in(const Monomial& m, NodeId atom);
[[nodiscard]] bool is_divisible(const Monomial& m, const Monomial& by);
/// p += c·m; a remainder of the size of rounding errors is dropped.
void add_to(Polynomial& p, const Monomial& m, double c);

}  // namespace vinculum::expr
