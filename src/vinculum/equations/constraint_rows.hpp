#pragma once

#include "vinculum/equations/system.hpp"

namespace vinculum::equations {

/// Writes the constraint rows. Each relation is differentiated along q' = q_dot, including its explicit time
/// dependence, until it has the form A u' = b.
///
///   φ(q,t):      ψ = φ_q q' + φ_t,   A = φ_q G,       b = −dψ/dt at u' = 0
///   ψ(q,u,t):                        A = ∂ψ/∂u,       b = −dψ/dt at u' = 0
///   χ(q,u,u',t) affine in u':        A = ∂χ/∂u',      b = −χ at u' = 0
///   χ(q,u,u',t) otherwise:           A = ∂χ/∂u',      b = A u' − χ, both depend on u' (Row::chi)
///
/// Source: theory.md §2, §3.4.
void write_rows(System& system);
/// Replaces rows with a `when` condition by rows that always act.
void let_all_rows_act(System& system);

}  // namespace vinculum::equations
