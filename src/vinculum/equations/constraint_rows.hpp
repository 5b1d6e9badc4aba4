#pragma once

#include "vinculum/equations/system.hpp"

namespace vinculum::equations {

/// Fills the rows: each relation differentiated along q' = q_dot until it reads A u' = b, explicit time included.
///
///   φ(q,t):      ψ = φ_q q' + φ_t,   A = φ_q G,       b = −dψ/dt at u' = 0
///   ψ(q,u,t):                        A = ∂ψ/∂u,       b = −dψ/dt at u' = 0
///   χ(q,u,u',t) affine in u':        A = ∂χ/∂u',      b = −χ at u' = 0
///   χ(q,u,u',t) else:                A = ∂χ/∂u',      b = A u' − χ, both of u' (Row::chi): χ linearised there
///
/// Source: theory.md §2, §3.4.
void write_rows(System& system);

}  // namespace vinculum::equations
