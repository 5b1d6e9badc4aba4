#pragma once

#include <optional>
#include <span>
#include <string>

#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// What expressions of (t, q, u, z) divide by where that vanishes at a state, as text: the pivot of a matrix that
/// `solve` or `pinv` inverts and that becomes singular, the length of a vector whose unit vector is asked for. None
/// where nothing that they divide by is small beside its own terms.
/// \param y [nq + nu + nz]
[[nodiscard]] std::optional<std::string> vanishing_divisor(const Binding& bound,
                                                           std::span<const expr::Expr> expressions, double t,
                                                           const double* y);

}  // namespace vinculum::sim
