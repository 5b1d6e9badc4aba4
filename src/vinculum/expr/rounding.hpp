#pragma once

#include <span>
#include <vector>

#include "vinculum/base/rounded.hpp"
#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// What `interpret` gives, each operation with its first-order bound of error carried along (running error analysis).
///
/// Where a bound is more than 1e-9 of its root the error is that by trial, if this is less (RoundingTrials): the result
/// of every operation is changed.
///
/// Exponentials and their like saturate: exp(−(x/s)²) is 0 in numbers far from 0, and says nothing about what holds
/// where it is awake. So exp, sinh, cosh and tanh are taken of c x for all their arguments x, with one c ≤ 1 that keeps
/// these moderate: identities between exponentials hold for every c.
/// \param values  of the symbols, taken as exact; constants are numbers of the text, rounded.
/// Law: rounding_test.cpp.
[[nodiscard]] std::vector<Rounded> interpret_with_noise(std::span<const Expr> roots, std::span<const Expr> symbols,
                                                        std::span<const double> values);
/// The same where the symbols' values have noise of their own.
[[nodiscard]] std::vector<Rounded> interpret_with_noise(std::span<const Expr> roots, std::span<const Expr> symbols,
                                                        std::span<const Rounded> values);

/// An expression's value with what rounding does to it, and whether an exponential on the way to it is asleep.
struct Judged {
  Rounded at;
  bool is_saturated = false;
};
/// Each of the roots as `interpret_with_noise` and `is_saturated` give it alone, in one pass for all.
[[nodiscard]] std::vector<Judged> interpret_each_with_noise(std::span<const Expr> roots, std::span<const Expr> symbols,
                                                            std::span<const double> values);

/// Whether an exponential on the way to the roots is asleep at these values: has an argument for which it is 0, or
/// infinite, or 1 (tanh), beside anything else.
[[nodiscard]] bool is_saturated(std::span<const Expr> roots, std::span<const Expr> symbols,
                                std::span<const double> values);

}  // namespace vinculum::expr
