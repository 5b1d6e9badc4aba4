#pragma once

#include <span>
#include <vector>

#include "vinculum/base/rounded.hpp"
#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// The values of `interpret` with error bounds. Each operation contributes its first-order bound (running error
/// analysis).
///
/// If a bound exceeds 1e-9 of the value of its root, the error is also measured by random perturbation of every
/// operation (RoundingTrials). The smaller of the two is returned.
///
/// exp, sinh, cosh and tanh saturate: exp(−(x/s)²) is 0 in floating point far from 0, so its values there cannot
/// confirm an identity. Therefore these functions are evaluated at c x for all their arguments x, with one factor c ≤ 1
/// that keeps the arguments moderate. Identities between exponentials hold for every c.
/// \param values  values of the symbols, taken as exact; constants count as rounded numbers
/// Test: rounding_test.cpp.
[[nodiscard]] std::vector<Rounded> interpret_with_noise(std::span<const Expr> roots, std::span<const Expr> symbols,
                                                        std::span<const double> values);
/// The same computation for values of symbols that have error bounds.
[[nodiscard]] std::vector<Rounded> interpret_with_noise(std::span<const Expr> roots, std::span<const Expr> symbols,
                                                        std::span<const Rounded> values);

/// The same computation with all exponentials at their own arguments: the values of `interpret`, with error bounds.
[[nodiscard]] std::vector<Rounded> interpret_with_bounds(std::span<const Expr> roots, std::span<const Expr> symbols,
                                                         std::span<const Rounded> values);

/// A value with the bound of its rounding error, and whether an exponential in the expression is saturated.
struct Judged {
  Rounded at;
  bool is_saturated = false;
};
/// `interpret_with_noise` and `is_saturated` for each root separately, in one pass for all roots.
[[nodiscard]] std::vector<Judged> interpret_each_with_noise(std::span<const Expr> roots, std::span<const Expr> symbols,
                                                            std::span<const double> values);

/// Whether an exponential in the roots is saturated at these values. Its argument is then so large that the
/// exponential, or its distance from its limit, is negligible or infinite compared with other terms.
[[nodiscard]] bool is_saturated(std::span<const Expr> roots, std::span<const Expr> symbols,
                                std::span<const double> values);

}  // namespace vinculum::expr
