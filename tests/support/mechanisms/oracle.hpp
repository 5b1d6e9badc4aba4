#pragma once

#include <Eigen/Dense>

#include "support/mechanisms/rows.hpp"

/// Forces and torques of all constraints, computed from the motion by Newton's and Euler's equations with the tests'
/// own kinematics.
namespace vinculum::mechanisms {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

struct State {
  double t = 0.0;
  std::vector<double> q;      ///< [coordinates] of the mechanism; 0 for unused ones
  std::vector<double> u, du;  ///< [Structure::speeds]
};

/// Entries of a generalized force on the mechanism with all bodies freed: force and moment about the origin on the
/// ground, force and moment about its mass center on each body, force on each particle, and generalized forces on
/// speeds.
struct Layout {
  explicit Layout(const Mechanism& mechanism, const Structure& structure);
  static constexpr int kGroundForce = 0, kGroundMoment = 3;
  std::vector<int> body, particle;  ///< index of the first entry; −1 for removed ones
  int bare = 0, size = 0;
  std::vector<Mode> modes;  ///< [size]
};

/// An unknown of the reactions: a row under the ideal law, an actuator under other laws.
struct Column {
  int constraint = 0, k = 0;
};

/// Powers of all forces in one small motion.
struct Power {
  Vector rows;       ///< [all rows] derivative of each row, at its own level, by the motion
  Vector actuators;  ///< [columns of constraints enforced by actuators, in order]
  Vector stated;     ///< [constraints] power of the forces in nonideal clauses
  double inertia = 0.0, loads = 0.0;
};

class Oracle {
 public:
  Oracle(const Mechanism& mechanism, const Structure& structure, const State& state);

  /// Largest residual of the rows at position, velocity and acceleration level (as far as a row has them), relative
  /// to its terms.
  double row_residual = 0.0;
  std::string worst_row;
  /// Check of the oracle: generalized forces of wrenches compared with the rows, in motions of the coordinates.
  double self_check = 0.0;

  Layout layout;
  std::vector<int> first_row;  ///< [constraints + 1]
  std::vector<Column> columns;
  std::vector<int> first_column;  ///< [constraints + 1]
  Matrix wrench;                  ///< [layout × columns] wrench of a unit of each unknown
  Matrix generalized;             ///< [nu × columns]
  Matrix rows_generalized;        ///< [nu × rows] Aᵀ
  Matrix stated;                  ///< [layout × constraints] forces of nonideal clauses
  Matrix stated_generalized;      ///< [nu × constraints]
  Vector inertia, loads;          ///< [layout]
  Vector needed;                  ///< [nu] generalized force that the unknowns must supply: the sum of everything else
  Matrix J;                       ///< [layout × nu] motions that the coordinates permit
  Matrix M;                       ///< [nu × nu]

  // Solution for the unknowns.
  Vector lambda, lambda_ideal;    ///< [columns] least-norm solution in equilibrated units
  Matrix null_space;              ///< [columns × k] orthonormal in equilibrated units
  Vector column_size;             ///< [columns]
  double mismatch = 0.0;          ///< residual of M u' = f + C + Γλ, relative to its terms
  bool has_doubtful_row = false;  ///< a row is neither rounding nor clearly larger
  double smallest_kept = 1.0, largest_dropped = 0.0;
  /// Whether mass and rows determine the accelerations: [M −Γ; A 0] has no null vector with a motion.
  bool is_motion_unique = true, is_motion_doubtful = false;
  /// Whether rows enforced by actuators are redundant.
  bool has_singular_actuators = false;
  std::string free_speed;  ///< a speed that is not determined
  /// Accelerations computed by the oracle, and their residual relative to the terms of the equations.
  Vector predicted;
  double unsolvable = 0.0;
  Vector row_size;          ///< [rows] size of each row over all freed motions
  Vector row_acceleration;  ///< [rows] second derivative of each row at the state's u'

  /// Whether rank and conditioning are clear.
  [[nodiscard]] bool is_clear() const {
    return smallest_kept > 1e-4 && largest_dropped < 1e-11 && !has_doubtful_row && !is_motion_doubtful;
  }

  /// Whether a linear functional of the unknowns, given by its gradient, is the same for all solutions; nullopt if
  /// this is not clear.
  [[nodiscard]] std::optional<bool> is_unique(const Vector& gradient) const;
  /// Whether the gradient has any component, however small, along an unknown that differs between solutions.
  [[nodiscard]] bool depends_on_free(const Vector& gradient) const;
  /// Wrench of a constraint in the layout, and the gradient of one of its entries.
  [[nodiscard]] Vector exerted(int constraint, const Vector& unknowns) const;
  [[nodiscard]] Vector gradient_of(int constraint, const Vector& entries) const;

  /// The part of a constraint's force that acts at one point named by it, per unit of each unknown (docs/theory.md
  /// §5.2: positions and velocities of points are independent arguments).   [3 × columns of the constraint]
  [[nodiscard]] Matrix share_of_point(int constraint, int point) const;
  /// Force that nonideal clauses of the constraint state at the point.
  [[nodiscard]] Eigen::Vector3d stated_at(int constraint, int point) const;
  /// Effect of a force at a point in the layout. A massless point passes it to the body that carries the point.
  [[nodiscard]] Vector force_at(int point, const Eigen::Vector3d& force) const;

  struct Revealed {
    double value = 0.0, size = 0.0;
    Vector gradient;  ///< [columns]
  };
  std::vector<std::vector<Revealed>> reveals;

  [[nodiscard]] const Kinematics& kinematics() const { return nominal_; }
  [[nodiscard]] const Mechanism& mechanism() const { return m_; }
  [[nodiscard]] const Structure& structure() const { return s_; }
  double force_size = 1.0;  ///< magnitude of the balanced forces

  /// Whether a row has the direction of a vector of length zero: `norm(vel(P)) = 0` at rest, a gear whose points
  /// coincide or lie on its axis. The force of such a row is rounding.
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
