#pragma once

#include <map>
#include <utility>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// Product of powers of atoms (symbols, functions, sums that stay whole), by ascending node; whole exponents.
using Monomial = std::vector<std::pair<NodeId, int>>;
using Polynomial = std::map<Monomial, double>;

/// a·b, or a/b with sign −1.
[[nodiscard]] Monomial product(const Monomial& a, const Monomial& b, int sign = 1);
/// What both share: factors above in both, divisors of either (so that a fraction bar is drawn once).
[[nodiscard]] Monomial common(const Monomial& a, const Monomial& b);
[[nodiscard]] int exponent_in(const Monomial& m, NodeId atom);
[[nodiscard]] bool is_divisible(const Monomial& m, const Monomial& by);
/// p += c·m; what rounding alone leaves is dropped.
void add_to(Polynomial& p, const Monomial& m, double c);

}  // namespace vinculum::expr
