#pragma once

#include <vector>

#include "vinculum/mechanics/model.hpp"

namespace vinculum::mechanics {

/// The force λW that a constraint row puts on a point: W as a vector formula in the user's own vectors.
struct PointReaction {
  PointId point;
  Term W;                 ///< vector; unit: force per multiplier
};

/// What one scalar row does where: Σ v^P·W (+ bare coordinates) = rate of the row at its own level.
struct RowInspection {
  std::vector<PointReaction> forces;       ///< on particles, in the order the row names them
  bool has_bare_part = false;              ///< coordinates appear bare: the rest is a generalized force (theory.md §5.6)
};

/// W_P = ∂row/∂p_P, ∂row/∂v^P or ∂row/∂a^P by the row's level, by vector differentiation of the row as written:
/// position vectors, velocities and basis vectors are independent arguments, and points without mass are expanded first.
/// Source: theory.md §5.1, 5.2; [R] ch. 2, 3, 5.
[[nodiscard]] RowInspection inspect_row(const Model& model, Term row, Level level);

/// ∂term/∂leaf for a vector leaf (kPosition, kVelocity, kAcceleration, …) of a scalar term: a vector.
[[nodiscard]] Term vector_gradient(const Model& model, Term scalar, Term leaf);

/// Σ over rows of λ_row W_row at the point, plus what `nonideal on` states there: `force(c, P)` as a term.
[[nodiscard]] Term total_force(const Model& model, ConstraintId constraint, PointId point);
/// λ_ideal W.
[[nodiscard]] Term ideal_force(const Model& model, ConstraintId constraint, PointId point);
/// total − ideal: Qni at P, not C.
[[nodiscard]] Term nonideal_force(const Model& model, ConstraintId constraint, PointId point);
/// λW, the actual one, without the force stated.
[[nodiscard]] Term reaction(const Model& model, ConstraintId constraint, PointId point);
/// Points on which the constraint exerts a force, in the order it names them.
[[nodiscard]] std::vector<PointId> points_of(const Model& model, ConstraintId constraint);

/// Whether the relation as written holds the position, velocity or acceleration of the point, with mass or without.
[[nodiscard]] bool names_point(const Constraint& constraint, PointId point);

/// Energies and momenta as terms over all particles and loads.
[[nodiscard]] Term kinetic_energy(const Model& model);
/// Gravity (zero at the newtonian origin point the particles' positions refer to), springs, `potential`. Gravity, stiffness
/// and length may change with time; a load that holds coordinates or speeds of its own has no potential and is left out.
[[nodiscard]] Term potential_energy(const Model& model);
[[nodiscard]] Term momentum(const Model& model, ParticleId particle);
[[nodiscard]] Term angular_momentum(const Model& model, ParticleId particle, PointId about);
/// Power of all forces of a constraint: Σ force · vel over the points it names; Σ Q_r u_r where it acts on coordinates beside
/// (theory.md §5.6). Not valid where it does and points, frames or speeds move with the time itself.
[[nodiscard]] Term power_of_constraint(const Model& model, ConstraintId constraint);

}  // namespace vinculum::mechanics
