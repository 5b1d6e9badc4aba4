#pragma once

#include <array>
#include <string>
#include <vector>

#include "vinculum/equations/classify.hpp"

namespace vinculum::equations {

/// Action of a row, or of its law, on a point or a body: a force λW or μE, or a torque λτ or μE in addition to the
/// forces at the body's points.
struct ActingDescription {
  std::string on;       ///< name of the point or body
  std::string formula;  ///< W, τ or E in the user's own vectors: `cross(vel(P2), N.z)`
  /// measure numbers of W, τ or E in the newtonian frame, as text in q, u, t and parameters
  std::array<std::string, 3> measure_numbers;
};

/// Generalized force of a row on a speed that acts at no point or body: λ times the coefficient (theory.md §5.6).
struct BareDescription {
  int speed = 0;  ///< index into System::u
  std::string name;
  std::string coefficient;
};

struct RowDescription {
  int system_row = -1;  ///< index into System::rows; −1: the constraint has a penalty realization and so no row
  model::Level level{};
  RowClass row_class;
  /// Name of the factor of W and τ: `multiplier(roll)[2]`, or `ideal_multiplier(c)` for a law with its own multiplier μ
  std::string multiplier;
  std::string mu;  ///< name of the factor of E; empty if the law has no μ (model::react)
  /// W and τ, in the order in which the row names particles, points and bodies. Empty for a servo constraint
  std::vector<ActingDescription> forces, torques;
  std::vector<ActingDescription> varied_forces, varied_torques;  ///< E as forces on points and torques on bodies
  bool is_internal = false;  ///< the forces sum to zero, so they are internal to the model (theory.md §5.3)
  bool is_balanced = false;  ///< the moments of the forces and the torques also sum to zero
  std::vector<BareDescription> bare;
};

/// One `nonideal on` clause, or one force of an actuator per unit of its effort: a force at a point, a torque on a
/// body, or a generalized force on a coordinate.
struct NonidealDescription {
  std::string on;
  std::string force;  ///< formula of the force, or of the torque
  std::string from;   ///< point or body on which the opposite force acts; empty if there is none
  bool is_torque = false;
};

/// An actuator of a servo constraint: the forces that one unit of its effort exerts.
struct ActuatorDescription {
  std::string effort;  ///< name of the effort, `effort(grip)[2]`
  std::vector<NonidealDescription> exerts;
  double scale = 1.0;
  std::string unit;  ///< unit of `scale`; empty if it is dimensionless
};

struct ConstraintDescription {
  model::ConstraintId constraint;
  std::string name;
  std::string relation;  ///< the relation as the user wrote it
  std::vector<RowDescription> rows;
  std::vector<NonidealDescription> nonideal;
  std::vector<ActuatorDescription> actuators;
  /// Generalized forces of the law that are neither in its forces and torques nor in `bare` of the rows: the skew
  /// matrix H, or the terms with μ if rows change with coordinates outside of vectors.
  std::vector<BareDescription> beside;
};

/// For each constraint, the forces that it exerts and the points and bodies on which they act. Used by `explain`.
/// Source: theory.md §5.
[[nodiscard]] std::vector<ConstraintDescription> describe(System& system);

/// [nu] A_r − Σ v_r·W − Σ ω_r·τ of a row: the part of A that the row's forces and torques do not produce. An entry is
/// exactly zero if its values at random states are zero up to rounding.
[[nodiscard]] std::vector<expr::Expr> bare_part(System& system, const Row& row);

}  // namespace vinculum::equations
