#pragma once

#include <array>
#include <string>
#include <vector>

#include "vinculum/dynamics/classify.hpp"

namespace vinculum::dynamics {

/// The force λW that a row puts on a particle.
struct ForceDescription {
  mechanics::PointId point;
  std::string name;                            ///< of the particle
  std::string W;                               ///< vector formula in the user's own vectors: `cross(vel(P2), N.z)`
  std::array<std::string, 3> measure_numbers;  ///< of W in the newtonian frame, in q, u, t and parameters
};

/// What a row puts on a speed beside the forces at particles: λ times this, a generalized force (theory.md §5.6).
struct BareDescription {
  int speed = 0;                               ///< index into System::u
  std::string name;
  std::string coefficient;
};

struct RowDescription {
  mechanics::Level level{};
  RowClass row_class;
  std::string multiplier;                      ///< `multiplier(roll)[2]`
  std::vector<ForceDescription> forces;        ///< in the order the row names the particles
  bool is_internal = false;                    ///< the forces add up to nothing: none comes from outside (theory.md §5.3)
  std::vector<BareDescription> bare;
};

/// One `nonideal on` clause: what it adds at a point or a coordinate.
struct NonidealDescription {
  std::string on;
  std::string force;
  std::string from;                            ///< where the opposite acts; empty: nowhere
};

struct ConstraintDescription {
  mechanics::ConstraintId constraint;
  std::string name;
  std::string relation;                        ///< as the user wrote it
  std::vector<RowDescription> rows;
  std::vector<NonidealDescription> nonideal;
};

/// Which force each constraint puts on what, for `explain`.   Source: theory.md §5.
[[nodiscard]] std::vector<ConstraintDescription> describe(System& system);

/// A_r − Σ v_r·W of a row: its coefficients on the speeds beyond the forces at particles; zero where the row's vectors
/// account for it (to rounding at random states). [nu]
[[nodiscard]] std::vector<expr::Expr> bare_part(System& system, const Row& row);

}  // namespace vinculum::dynamics
