#pragma once

#include <array>
#include <string>
#include <vector>

#include "vinculum/equations/classify.hpp"

namespace vinculum::equations {

/// What a row or its law puts on a point (a force λW, μE) or on a body (a torque λτ, μE beside its forces at points).
struct ActingDescription {
  std::string on;                              ///< point or body
  std::string formula;                         ///< in the user's own vectors: `cross(vel(P2), N.z)`
  std::array<std::string, 3> measure_numbers;  ///< in the newtonian frame, in q, u, t and parameters
};

/// What a row puts on a speed beside the forces at particles: λ times this, a generalized force (theory.md §5.6).
struct BareDescription {
  int speed = 0;  ///< index into System::u
  std::string name;
  std::string coefficient;
};

struct RowDescription {
  int system_row = -1;  ///< in System::rows; −1: the constraint is realised and has none
  model::Level level{};
  RowClass row_class;
  std::string multiplier;  ///< factor of W and τ: `multiplier(roll)[2]`; of a law with a μ of its own
                           ///< `ideal_multiplier(c)`
  std::string mu;          ///< factor of E; empty: the law brings none (mechanics/variation.hpp)
  /// W in the order the row names the particles and points, τ in that of the bodies; empty for a directed law.
  std::vector<ActingDescription> forces, torques;
  std::vector<ActingDescription> varied_forces, varied_torques;  ///< E in the places of W and τ
  bool is_internal = false;  ///< the forces add up to nothing: none comes from outside (theory.md §5.3)
  bool is_balanced = false;  ///< and so do their moments with the torques
  std::vector<BareDescription> bare;
};

/// One `nonideal on` clause, or a part of what one unit of effort exerts: what it adds at a point, on a body or a
/// coordinate.
struct NonidealDescription {
  std::string on;
  std::string force;  ///< or torque
  std::string from;   ///< where the opposite acts; empty: nowhere
  bool is_torque = false;
};

/// An actuator of a directed law: one unit of its effort.
struct ActuatorDescription {
  std::string effort;  ///< `effort(grip)[2]`
  std::vector<NonidealDescription> exerts;
  double scale = 1.0;
  std::string unit;  ///< of a scale that is no number; else empty
};

struct ConstraintDescription {
  model::ConstraintId constraint;
  std::string name;
  std::string relation;  ///< as the user wrote it
  std::vector<RowDescription> rows;
  std::vector<NonidealDescription> nonideal;
  std::vector<ActuatorDescription> actuators;  ///< of a directed law (theory.md §6.9)
  std::vector<BareDescription>
      beside;  ///< whole generalized forces of the law beyond its forces and torques and the rows' bare
               ///< parts: the skew H, or what μ brings where rows change with bare coordinates
};

/// Which force each constraint puts on what, for `explain`.   Source: theory.md §5.
[[nodiscard]] std::vector<ConstraintDescription> describe(System& system);

/// A_r − Σ v_r·W − Σ ω_r·τ of a row: its coefficients on the speeds beyond the forces and torques; zero where the row's
/// vectors account for it (to rounding at random states). [nu]
[[nodiscard]] std::vector<expr::Expr> bare_part(System& system, const Row& row);

}  // namespace vinculum::equations
