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
  bool is_conservative = false;  ///< true: the force is included in the potential energy
  double size = 0.0;             ///< magnitude of the terms whose sum is `value`, if they may cancel; otherwise 0
  [[nodiscard]] double magnitude() const { return std::max(size, size_of(value)); }
};

/// All forces and torques at one instant, from the statements of the model. Loads are taken as written. The forces of
/// constraints follow by inspection (theory.md §5) from the multipliers and efforts of the sample.
struct Forces {
  explicit Forces(Evidence& evidence);
  std::vector<Action> actions;
  RoundedVector generalized;   ///< [nu] forces on coordinates: loads, `nonideal on q`, actuators, rows, Lagrangians
  Vector generalized_size;     ///< [nu] sum of the absolute values of the terms of `generalized`
  RoundedVector conservative;  ///< [nu] the share of `generalized` whose work is included in the potential energy
  Rounded explicit_power =
      0.0;  ///< ∂E/∂t at fixed coordinates and speeds, from stiffness, gravity or a Lagrangian that depends on time
  bool has_coordinates = false;   ///< a force acts on coordinates, so it cannot be attributed to a body
  std::string law_without_force;  ///< name of a constraint whose reaction cannot be formed here; empty: none

  /// Returns the generalized force of an action: Σ v_r·F + Σ ω_r·T. [nu]
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

/// Factors λ and μ with which one row contributes to the reaction R = Gᵀ[λ F_q' + μ (F_q − d/dt F_q')] and to the
/// forces λW + μE at points. F is the constraint function, F_q and F_q' its partial derivatives.
struct LawFactors {
  Rounded lambda = 0.0, mu = 0.0;
};
[[nodiscard]] LawFactors law_factors(Evidence& evidence, model::ConstraintId constraint, std::size_t row);

/// Computes the reaction of a law other than ideal, nonideal and servo from the law itself (theory.md §6.3–6.8),
/// projected onto the speeds: R = Gᵀ[λ F_q' + μ (F_q − d/dt F_q') + D]. D are the generalized forces that follow from
/// the states of the law.
/// \returns [nu]
[[nodiscard]] RoundedVector reaction_of_law(Evidence& evidence, model::ConstraintId constraint);

/// Computes the reaction [nu] of a constraint of higher order from the law itself (theory.md §6.5).   Defined in
/// higher.cpp.
[[nodiscard]] RoundedVector reaction_of_higher_order(Evidence& evidence, model::ConstraintId constraint);

/// Compares the reaction of each constraint of higher order with the forces and torques at its points and bodies.
/// Defined in higher.cpp.
void see_places_of_higher_order(Judge& judge, Evidence& evidence);

/// Returns the inertia forces as actions: −m a of a particle; −m a and −dH/dt of a body, with H its angular momentum
/// about the mass center.
[[nodiscard]] std::vector<Action> inertia(Evidence& evidence);
/// Returns the length of each column.
[[nodiscard]] Vector lengths_of(const RoundedMatrix& columns);

}  // namespace vinculum::audit
