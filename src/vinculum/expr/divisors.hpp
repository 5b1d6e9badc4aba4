#pragma once

#include <optional>
#include <span>
#include <string>

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// A divisor that occurs in an expression.
struct Divisor {
  std::string text;  ///< the divisor as text; a long one is abbreviated
  /// magnitude relative to the terms that it is computed from: 1 without cancellation, 0 if they cancel
  double relative = 1.0;
};

/// The divisor in `roots` that is smallest relative to the terms that it is computed from, so the choice does not
/// depend on units. If `roots` is the solution of linear equations, this is the pivot that vanishes first; if it is a
/// unit vector, the length by which it was divided. Nothing if all divisors are constants.
/// \param symbols and \param values  as in `interpret`; each value is assumed to have a rounding error
/// Test: divisors_test.cpp.
[[nodiscard]] std::optional<Divisor> smallest_divisor(std::span<const Expr> roots, std::span<const Expr> symbols,
                                                      std::span<const double> values);

}  // namespace vinculum::expr
