#pragma once

#include <optional>
#include <span>
#include <string>

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// A divisor that occurs in an expression.
struct Divisor {
  std::string text;       ///< a long divisor is abbreviated
  double relative = 1.0;  ///< its size relative to the terms it is computed from: 0 if they cancel
};

/// The divisor in `roots` that is smallest relative to its own terms, so independent of units: in an inverse made of
/// quotients the pivot that vanishes first, in a unit vector the length. None if all divisors are constants.
/// \param symbols and \param values  as in `interpret`; the values count as rounded numbers.
/// Test: divisors_test.cpp.
[[nodiscard]] std::optional<Divisor> smallest_divisor(std::span<const Expr> roots, std::span<const Expr> symbols,
                                                      std::span<const double> values);

}  // namespace vinculum::expr
