#pragma once

#include <span>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// A value, and a bound of what rounding has done to it on the way.
struct Rounded {
  double value = 0.0, noise = 0.0;
  /// Whether 0 is as good a value. An expression that is 0 by an identity has no other; in whatever units, and however
  /// small its terms are.
  [[nodiscard]] bool is_zero() const;
};

/// What `interpret` gives, each operation with its first-order bound of error carried along (running error analysis).
///
/// Exponentials and their like saturate: exp(−(x/s)²) is 0 in numbers far from 0, and says nothing about what holds
/// where it is awake. So exp, sinh, cosh and tanh are taken of c x for all their arguments x, with one c ≤ 1 that keeps
/// these moderate: identities between exponentials hold for every c.
/// \param values  of the symbols, taken as exact.   \cost twice that of `interpret`.
/// Source: Higham, Accuracy and Stability of Numerical Algorithms, 3.3.   Law: rounding_test.cpp.
[[nodiscard]] std::vector<Rounded> interpret_with_noise(std::span<const Expr> roots, std::span<const Expr> symbols,
                                                        std::span<const double> values);

/// Whether an exponential on the way to the roots is asleep at these values: has an argument for which it is 0, or
/// infinite, or 1 (tanh), beside anything else.
[[nodiscard]] bool is_saturated(std::span<const Expr> roots, std::span<const Expr> symbols,
                                std::span<const double> values);

}  // namespace vinculum::expr
