#pragma once

#include <span>
#include <vector>

#include "vinculum/base/rounded.hpp"
#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// The values of `interpret` with error bounds: each operation carries its first-order bound (running error analysis).
///
/// If a bound exceeds 1e-9 of the value of its root, the error is also measured by random perturbation of every
/// operation (RoundingTrials), and the smaller of the two is used.
///
/// exp, sinh, cosh and tanh saturate: exp(−(x/s)²) is 0 in floating point far from 0, so values there say nothing about
/// an identity. Therefore these functions are evaluated at c x for all their arguments x, with one c ≤ 1 that keeps the
/// arguments moderate: identities between exponentials hold for every c.
/// \param values  of the symbols, taken as exact; constants count as rounded numbers.
/// Test: rounding_test.cpp.
[[nodiscard]] std::vector<Rounded> interpret_with_noise(std::span<const Expr> roots, std::span<const Expr> symbols,
                                                        std::span<const double> values);
/// As above, with error bounds for the values of the symbols.
[[nodiscard]] std::vector<Rounded> interpret_with_noise(std::span<const Expr> roots, std::span<const Expr> symbols,
                                                        std::span<const Rounded> values);

/// A value with the bound of its rounding error, and whether an exponential in the expression is saturated.
struct Judged {
  Rounded at;
  bool is_saturated = false;
};
/// Results of `interpret_with_noise` and `is_saturated` for each root alone, in one pass for all roots.
[[nodiscard]] std::vector<Judged> interpret_each_with_noise(std::span<const Expr> roots, std::span<const Expr> symbols,
                                                            std::span<const double> values);

/// Whether an exponential in the roots is saturated at these values: its argument is so large that its value, or its
/// distance from its limit, is negligible or infinite relative to other terms.
[[nodiscard]] bool is_saturated(std::span<const Expr> roots, std::span<const Expr> symbols,
                                std::span<const double> values);

}  // namespace vinculum::expr
