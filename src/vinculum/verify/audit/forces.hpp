#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "vinculum/model/kinematic_tree.hpp"
#include "vinculum/verify/audit/evidence.hpp"
#include "vinculum/verify/audit/judge.hpp"

namespace vinculum::audit {

/// A force at a point or a torque on a frame, with measure numbers in the newtonian frame.
struct Action {
  std::optional<model::PointId> point;  ///< point of action of a force; if empty, the action is a torque on `frame`
  model::FrameId frame;
  Vector3 value;
  bool is_conservative = false;  ///< included in the potential energy
  double size = 0.0;             ///< size of the terms that `value` is the sum of, if they may cancel; else 0
  [[nodiscard]] double magnitude() const { return std::max(size, size_of(value)); }
};

/// All forces and torques at one instant, from the statements of the model: loads as written, and constraints by
/// inspection (theory.md §5) with the multipliers and efforts of the sample.
struct Forces {
  explicit Forces(Evidence& evidence);
  std::vector<Action> actions;
  RoundedVector
      generalized;  ///< [nu] forces on coordinates: loads, `nonideal on q`, actuators, rows in coordinates, Lagrangians
  Vector generalized_size;     ///< [nu] Σ of the absolute values
  RoundedVector conservative;  ///< [nu] the part of `generalized` that is included in the potential energy
  Rounded explicit_power =
      0.0;  ///< ∂E/∂t at fixed coordinates and speeds: stiffness, gravity or a Lagrangian that changes with time
  bool has_coordinates = false;   ///< a force acts on coordinates, so it cannot be attributed to a body
  std::string law_without_force;  ///< name of a constraint whose reaction cannot be formed here; empty: none

  /// Generalized force of an action: Σ v_r·F + Σ ω_r·T. [nu]
  [[nodiscard]] static RoundedVector along_speeds(Evidence& evidence, const Action& action);

 private:
  void force(Evidence& e, model::PointId point, const Vector3& F, bool is_conservative = false);
  void torque(model::FrameId frame, const Vector3& T);
  void stated(Evidence& e, const model::ForceOn& force, Rounded factor = 1.0);
  void stated(Evidence& e, const model::TorqueOn& torque, Rounded factor = 1.0);
  void along_coordinate(Evidence& e, const model::GeneralizedForceOn& force, Rounded factor = 1.0);
  void generalize(const RoundedVector& Q, bool is_conservative = false);
  void add_load(Evidence& e, const model::Load& load);
  void add_constraint(Evidence& e, model::ConstraintId id);
  void add_lagrangian(Evidence& e, model::Term L);
};

/// λ and μ of the reaction R = Gᵀ[λ F_q' + μ (F_q − d/dt F_q')] of one row, and of its forces λW + μE at points.
struct LawFactors {
  Rounded lambda = 0.0, mu = 0.0;
};
[[nodiscard]] LawFactors law_factors(Evidence& evidence, model::ConstraintId constraint, std::size_t row);

/// Reaction of a law other than ideal, nonideal and directed, computed from the law itself (theory.md §6.3–6.8) and
/// projected onto the speeds: R = Gᵀ[λ F_q' + μ (F_q − d/dt F_q') + D], with D the forces of the law on its states.
/// \returns [nu]
[[nodiscard]] RoundedVector reaction_of_law(Evidence& evidence, model::ConstraintId constraint);

/// The same for a constraint of higher order (theory.md §6.5).   Defined in higher.cpp.
[[nodiscard]] RoundedVector reaction_of_higher_order(Evidence& evidence, model::ConstraintId constraint);

/// Compares that reaction with the forces and torques at the points and bodies of the constraint.   Defined in
/// higher.cpp.
void see_places_of_higher_order(Judge& judge, Evidence& evidence);

/// Inertia forces as actions: −m a of a particle; −m a and −dH/dt about the mass center of a body.
[[nodiscard]] std::vector<Action> inertia(Evidence& evidence);
/// Length of each column.
[[nodiscard]] Vector lengths_of(const RoundedMatrix& columns);

}  // namespace vinculum::audit
