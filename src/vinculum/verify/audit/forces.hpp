#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "vinculum/model/kinematic_tree.hpp"
#include "vinculum/verify/audit/evidence.hpp"
#include "vinculum/verify/audit/judge.hpp"

namespace vinculum::audit {

/// A force at a point or a torque on a frame, in newtonian measure numbers, with who exerts it.
struct Action {
  std::optional<model::PointId> point;  ///< force; else a torque on `frame`
  model::FrameId frame;
  Vector3 value;
  bool is_conservative = false;  ///< has its place in the potential energy
  double size = 0.0;             ///< of the parts that `value` is the sum of, where they may cancel; else 0
  [[nodiscard]] double magnitude() const { return std::max(size, size_of(value)); }
};

/// Everything that acts at one instant, from the statements of the model: loads as written, constraints by inspection
/// with the multipliers and efforts of the sample.
struct Forces {
  explicit Forces(Evidence& evidence);
  std::vector<Action> actions;
  RoundedVector
      generalized;  ///< [nu] of what acts on coordinates: loads, `nonideal on q`, actuators, bare rows, Lagrangians
  Vector generalized_size;     ///< [nu] Σ of absolute values
  RoundedVector conservative;  ///< [nu] the part of `generalized` that has its place in the potential energy
  Rounded explicit_power =
      0.0;  ///< rate of the energy at a motion that keeps still: stiffness, gravity, a Lagrangian change with time
  bool has_coordinates = false;   ///< something acts on coordinates, so that no body has it
  std::string law_without_force;  ///< a constraint whose law's reaction is not known here; empty: none

  /// Σ v_r·F + Σ ω_r·T. [nu]
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

/// λ and μ of R = Gᵀ[λ F_q' + μ (F_q − d/dt F_q')] for one row, and of the forces λW + μE (mechanics/variation.hpp).
struct LawFactors {
  Rounded lambda = 0.0, mu = 0.0;
};
[[nodiscard]] LawFactors law_factors(Evidence& evidence, model::ConstraintId constraint, std::size_t row);

/// The force that keeps a row under a law other than ideal, nonideal and directed, from the law itself (theory.md
/// §6.3–6.8), in coordinates pulled to the speeds:  R = Gᵀ[λ F_q' + μ (F_q − d/dt F_q') + D], D what it exerts on them.
/// \returns [nu]
[[nodiscard]] RoundedVector reaction_of_law(Evidence& evidence, model::ConstraintId constraint);

/// The same of a constraint of higher order (theory.md §6.5).   higher.cpp
[[nodiscard]] RoundedVector reaction_of_higher_order(Evidence& evidence, model::ConstraintId constraint);

/// Compares the forces and torques at the places of constraints of higher order with that reaction.   higher.cpp
void see_places_of_higher_order(Judge& judge, Evidence& evidence);

/// −m a of a particle, −m a and −dH/dt of a body about its mass centre, as actions.
[[nodiscard]] std::vector<Action> inertia(Evidence& evidence);
/// Lengths of the columns.
[[nodiscard]] Vector lengths_of(const RoundedMatrix& columns);

}  // namespace vinculum::audit
