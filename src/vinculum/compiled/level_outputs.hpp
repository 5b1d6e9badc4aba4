#pragma once

#include <vector>

#include "vinculum/equations/system.hpp"

namespace vinculum::sim {

/// Expressions for restoring invariants I(t, q, u, z) by projection: I, ∂I/∂q G, ∂I/∂u, and ∂ψ/∂q G of the rows with a
/// ψ.
///
/// The projection changes (q, u) to (q + G w, u + δu). It minimizes ½(ω² wᵀW w + δuᵀW δu), W the metric and ω a typical
/// rate of the motion, subject to the linearized conditions
///
///   A w = 0 (position-level rows),   ∂ψ/∂q G w + A δu = 0,   ∂I/∂q G w + ∂I/∂u δu = I(start) − I
///
/// The result is projected onto the constraints again. This is repeated until I = I(start) within rounding errors.
/// States z do not change.
/// Source: theory.md §9; Hairer, Lubich & Wanner IV.4.
/// \param values  the invariants I.   \param velocity_rows  indices into System::rows.
/// \returns the four groups of expressions in this order, matrices row by row.
[[nodiscard]] std::vector<expr::Expr> level_outputs(const equations::System& system,
                                                    const std::vector<expr::Expr>& values,
                                                    const std::vector<int>& velocity_rows);

}  // namespace vinculum::sim
