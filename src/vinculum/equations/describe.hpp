#pragma once

#include <array>
#include <string>
#include <vector>

#include "vinculum/equations/classify.hpp"

namespace vinculum::equations {

/// Action of a row, or of its law, on a point (a force λW or μE) or on a body (a torque λτ or μE, in addition to the
/// forces at its points).
struct ActingDescription {
  std::string on;                              ///< point or body
  std::string formula;                         ///< in the user's own vectors: `cross(vel(P2), N.z)`
  std::array<std::string, 3> measure_numbers;  ///< in the newtonian frame, in q, u, t and parameters
};

/// Generalized force of a row on a speed that no force at a point explains: λ times the coefficient (theory.md §5.6).
struct BareDescription {
  int speed = 0;  ///< index into System::u
  std::string name;
  std::string coefficient;
};

struct RowDescription {
  int system_row = -1;  ///< in System::rows; −1: the constraint is realized by a penalty and has no row
  model::Level level{};
  RowClass row_class;
  /// Factor of W and τ: `multiplier(roll)[2]`, or `ideal_multiplier(c)` for a law that has its own μ.
  std::string multiplier;
  std::string mu;  ///< factor of E; empty if the law has no μ (model::react)
  /// W and τ in the order in which the row names particles, points and bodies; empty for a servo constraint.
  std::vector<ActingDescription> forces, torques;
  std::vector<ActingDescription> varied_forces, varied_torques;  ///< E, with the meaning of W and τ
  bool is_internal = false;  ///< the forces sum to zero: no force from outside is needed (theory.md §5.3)
  bool is_balanced = false;  ///< the moments of the forces and the torques sum to zero as well
  std::vector<BareDescription> bare;
};

/// One `nonideal on` clause, or one part of the action of a unit of effort: the force at a point, on a body or on a
/// coordinate.
struct NonidealDescription {
  std::string on;
  std::string force;  ///< formula of the force, or of the torque
  std::string from;   ///< where the opposite force acts; empty if there is none
  bool is_torque = false;
};

/// An actuator of a servo constraint: the forces of one unit of its effort.
struct ActuatorDescription {
  std::string effort;  ///< `effort(grip)[2]`
  std::vector<NonidealDescription> exerts;
  double scale = 1.0;
  std::string unit;  ///< unit, if the scale is not dimensionless; else empty
};

struct ConstraintDescription {
  model::ConstraintId constraint;
  std::string name;
  std::string relation;  ///< as the user wrote it
  std::vector<RowDescription> rows;
  std::vector<NonidealDescription> nonideal;
  /// Generalized forces of the law that neither its forces and torques nor the bare parts of the rows contain: the skew
  /// matrix H, or the terms with μ if rows change with bare coordinates.
  std::vector<ActuatorDescription> actuators;
  std::vector<BareDescription> beside;
};

/// For each constraint, the forces it exerts and where they act; for `explain`.   Source: theory.md §5.
[[nodiscard]] std::vector<ConstraintDescription> describe(System& system);

/// [nu] A_r − Σ v_r·W − Σ ω_r·τ of a row: the part of its coefficients that its forces and torques do not explain.
/// Entries are exactly zero if the vectors of the row account for it (judged by rounding error at random states).
[[nodiscard]] std::vector<expr::Expr> bare_part(System& system, const Row& row);

}  // namespace vinculum::equations
