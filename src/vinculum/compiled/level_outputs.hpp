#pragma once

#include <vector>

#include "vinculum/equations/system.hpp"

namespace vinculum::sim {

/// What keeping invariants I(t, q, u, z) by projection evaluates: I, ∂I/∂q G, ∂I/∂u, and ∂ψ/∂q G of the rows with ψ.
///
/// The projection takes y = (q, u) to q + G w, u + δu with the least ½(ω² wᵀW w + δuᵀW δu), W the metric and ω a rate
/// of the motion, such that to first order  A w = 0 on rows of position level,  ∂ψ/∂q G w + A δu = 0,  ∂I/∂q G w +
/// ∂I/∂u δu = I(start) − I,  and puts the result back on the constraints, until I is met to rounding. States stay.
/// Source: theory.md §9; Hairer, Lubich & Wanner IV.4.
/// \param values  the I.   \param velocity_rows  indices into System::rows.
/// \returns all of it, each row by row.
[[nodiscard]] std::vector<expr::Expr> level_outputs(const equations::System& system,
                                                    const std::vector<expr::Expr>& values,
                                                    const std::vector<int>& velocity_rows);

}  // namespace vinculum::sim
