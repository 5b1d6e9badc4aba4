#pragma once

#include <Eigen/Dense>

#include "support/mechanisms/rows.hpp"

/// Forces and torques of all constraints from the motion alone, by Newton and Euler with the tests' own kinematics.
namespace vinculum::mechanisms {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

struct State {
  double t = 0.0;
  std::vector<double> q;      ///< [coordinates] of the mechanism, 0 for those that are not used
  std::vector<double> u, du;  ///< [Structure::speeds]
};

/// Entries of a force on the freed mechanism: force and moment about the origin on the ground, force and moment about
/// its mass centre on each body, force on each particle, and generalized forces on speeds.
struct Layout {
  explicit Layout(const Mechanism& mechanism, const Structure& structure);
  static constexpr int kGroundForce = 0, kGroundMoment = 3;
  std::vector<int> body, particle;  ///< first entry; −1 for removed ones
  int bare = 0, size = 0;
  std::vector<Mode> modes;  ///< [size]
};

/// A column of unknown reaction: a row under the ideal law, an actuator under others.
struct Column {
  int constraint = 0, k = 0;
};

/// What all that acts does in one small motion.
struct Power {
  Vector rows;       ///< [all rows] derivative of each row by the motion, of its own level
  Vector actuators;  ///< [columns of constraints kept by actuators, in order]
  Vector stated;     ///< [constraints] power of the forces in their nonideal clauses
  double inertia = 0.0, loads = 0.0;
};

class Oracle {
 public:
  Oracle(const Mechanism& mechanism, const Structure& structure, const State& state);

  /// Rows at levels of position, velocity, acceleration, as far as each has them; largest relative to its terms.
  double row_residual = 0.0;
  std::string worst_row;
  /// Check of the oracle itself: the generalized forces of wrenches against rows in the coordinates' own motions.
  double self_check = 0.0;

  Layout layout;
  std::vector<int> first_row;  ///< [constraints + 1]
  std::vector<Column> columns;
  std::vector<int> first_column;  ///< [constraints + 1]
  Matrix wrench;                  ///< [layout × columns] of a unit of each unknown
  Matrix generalized;             ///< [nu × columns]
  Matrix rows_generalized;        ///< [nu × rows] Aᵀ
  Matrix stated;                  ///< [layout × constraints] forces of nonideal clauses
  Matrix stated_generalized;      ///< [nu × constraints]
  Vector inertia, loads;          ///< [layout]
  Vector needed;                  ///< [nu] generalized force that the columns must make up: all but them
  Matrix J;                       ///< [layout × nu] motions that the coordinates allow
  Matrix M;                       ///< [nu × nu]

  // The unknowns from the motion.
  Vector lambda, lambda_ideal;    ///< [columns] a solution of least size in equilibrated units
  Matrix null_space;              ///< [columns × k] orthonormal in equilibrated units
  Vector column_size;             ///< [columns]
  double mismatch = 0.0;          ///< of M u' = f + C + Γλ, relative to its terms
  bool has_doubtful_row = false;  ///< one that is neither rounding nor clearly a row
  double smallest_kept = 1.0, largest_dropped = 0.0;
  /// Whether mass and rows leave one acceleration: [M −Γ; A 0] has no null vector that moves.
  bool is_motion_unique = true, is_motion_doubtful = false;
  /// Rows that actuators keep depend on other rows.
  bool has_singular_actuators = false;
  std::string free_speed;  ///< one that is not determined
  /// Accelerations of the tests' own solve, and how far they miss the equations relative to their terms.
  Vector predicted;
  double unsolvable = 0.0;
  Vector row_size;          ///< [rows] size of each row over all freed motions
  Vector row_acceleration;  ///< [rows] second derivative of each at the state's u'

  /// Neither rank nor conditioning is in doubt.
  [[nodiscard]] bool is_clear() const {
    return smallest_kept > 1e-4 && largest_dropped < 1e-11 && !has_doubtful_row && !is_motion_doubtful;
  }

  /// Whether a functional of the unknowns, by its gradient, is the same for all solutions; nothing where that is not
  /// clear.
  [[nodiscard]] std::optional<bool> is_unique(const Vector& gradient) const;
  /// Whether a coefficient, however small, is of an unknown that differs between solutions.
  [[nodiscard]] bool depends_on_free(const Vector& gradient) const;
  /// Wrench of a constraint on the layout, and the gradient of one of its entries.
  [[nodiscard]] Vector exerted(int constraint, const Vector& unknowns) const;
  [[nodiscard]] Vector gradient_of(int constraint, const Vector& entries) const;

  /// The part of a constraint's force that acts at one point that it names, as a share of each unknown (5.2 of
  /// docs/theory.md: positions and velocities of points are arguments of their own).   [3 × columns of the constraint]
  [[nodiscard]] Matrix share_of_point(int constraint, int point) const;
  /// What nonideal clauses of the constraint state there.
  [[nodiscard]] Eigen::Vector3d stated_at(int constraint, int point) const;
  /// What a force at a point does on the layout: of a place without mass on whatever holds it.
  [[nodiscard]] Vector force_at(int point, const Eigen::Vector3d& force) const;

  struct Revealed {
    double value = 0.0, size = 0.0;
    Vector gradient;  ///< [columns]
  };
  std::vector<std::vector<Revealed>> reveals;

  [[nodiscard]] const Kinematics& kinematics() const { return nominal_; }
  [[nodiscard]] const Mechanism& mechanism() const { return m_; }
  [[nodiscard]] const Structure& structure() const { return s_; }
  double force_size = 1.0;  ///< of the forces that balance

  /// Whether a row has the direction of a vector without length: `norm(vel(P)) = 0` at rest, a gear whose points are
  /// one, or lie on its axis. What the row exerts is rounding then.
  [[nodiscard]] bool has_direction_of_nothing() const;

 private:
  [[nodiscard]] Power power_in(const Mode& mode) const;
  [[nodiscard]] double power(const Action& action, const Kinematics& moved, double sign_of_value = 1.0) const;
  void check_rows();
  void solve();
  void choose_least_efforts();
  void solve_motion(const State& state);

  const Mechanism& m_;
  const Structure& s_;
  Motion motion_;
  Kinematics nominal_;
  std::vector<int> row_levels_;
};

}  // namespace vinculum::mechanisms
