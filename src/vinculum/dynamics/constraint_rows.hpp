#pragma once

#include <optional>

#include "vinculum/base/failure.hpp"
#include "vinculum/dynamics/system.hpp"

namespace vinculum::dynamics {

/// Fills the rows: each relation differentiated along q' = q_dot until it reads A u' = b, explicit time included.
///
///   φ(q,t):      ψ = φ_q q' + φ_t,   A = φ_q G,       b = −dψ/dt at u' = 0
///   ψ(q,u,t):                        A = ∂ψ/∂u,       b = −dψ/dt at u' = 0
///   χ(q,u,u',t) affine in u':        A = ∂χ/∂u',      b = −χ at u' = 0
///
/// \returns a failure that names the row where χ is not affine in u': no linear solve maintains it.
/// Source: theory.md §2.
[[nodiscard]] std::optional<Failure> write_rows(System& system);

}  // namespace vinculum::dynamics
