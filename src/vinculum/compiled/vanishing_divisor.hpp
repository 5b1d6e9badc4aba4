#pragma once

#include <optional>
#include <span>
#include <string>

#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// Finds a divisor in expressions of (t, q, u, z) that vanishes at a state: the pivot of a matrix that `solve` or
/// `pinv` inverts, or the length of a vector whose unit vector is formed.
/// \returns the divisor as text; nothing if no divisor is small compared with its own terms.
/// \param y [nq + nu + nz]
[[nodiscard]] std::optional<std::string> vanishing_divisor(const Binding& bound,
                                                           std::span<const expr::Expr> expressions, double t,
                                                           const double* y);

}  // namespace vinculum::sim
