#pragma once

#include <optional>
#include <span>
#include <string>

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// What some expressions divide by.
struct Divisor {
  std::string text;       ///< a long one by its outer shape
  double relative = 1.0;  ///< its size beside that of the terms it is made of: 0 where they cancel
};

/// The one of all divisors on the way to `roots` that is smallest beside its own terms, in whatever units: of an
/// inverse made of quotients the pivot that vanishes first, of a unit vector the length. None where nothing divides by
/// anything but constants.
/// \param symbols and \param values  as in `interpret`, rounded as numbers are.   Law: divisors_test.cpp.
[[nodiscard]] std::optional<Divisor> smallest_divisor(std::span<const Expr> roots, std::span<const Expr> symbols,
                                                      std::span<const double> values);

}  // namespace vinculum::expr
