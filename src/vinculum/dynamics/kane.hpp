#pragma once

#include <vector>

#include "vinculum/dynamics/system.hpp"

namespace vinculum::dynamics {

/// A force at a point, as loads put it there.
struct AppliedForce {
  mechanics::PointId point;
  mechanics::Term force;
};

/// Forces of all loads but potentials and generalized forces: stated ones with their opposites, gravity on every particle,
/// springs along their line (pulling when longer than `length`, damped by `damping` times the rate of the distance).
[[nodiscard]] std::vector<AppliedForce> applied_forces(const mechanics::Model& model);

/// Fills M and f: M_rs = Σ m v_r·v_s, f_r = Σ v_r·R − Σ m v_r·a_t + (Gᵀ D)_r − (Gᵀ ∂V/∂q)_r.
/// Source: [R] 2.3, 5.2; theory.md §1.
void write_mass_and_force(System& system);

/// Fills C: C_r = Σ v_r·F over the forces of `nonideal` clauses, and Gᵀ F for those on coordinates.   Source: theory.md §4.5.
void write_nonideal(System& system);

/// Aᵀλ + C of each constraint alone, λ the symbols.  \returns [constraint][nu]  \pre rows are written.
[[nodiscard]] std::vector<std::vector<expr::Expr>> generalized_forces(System& system);

}  // namespace vinculum::dynamics
