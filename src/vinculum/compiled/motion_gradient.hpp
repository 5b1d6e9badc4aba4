#pragma once

#include <memory>
#include <span>
#include <vector>

#include "vinculum/compiled/motion_equations.hpp"

namespace vinculum::sim {

/// ∂F/∂y of y' = F(t, y) at a state, exact whatever the law:  S_y − S_x E_x⁺ E_y  (motion_equations.hpp), with the
/// matrix of the motion itself.   Law: tests/agreement, beside differences.
class MotionGradient {
 public:
  MotionGradient(const MotionEquations& of, std::span<const double> parameters);

  /// \param y  [q, u, z]   \param u_dot  the accelerations there.   \returns false where there is none.
  [[nodiscard]] bool at(double t, const double* y, ConstVector u_dot);
  /// F itself.   \param u_dot  accelerations near which those of the state are sought.
  [[nodiscard]] bool rates_at(double t, const double* y, ConstVector u_dot, Eigen::Ref<Vector> F);
  [[nodiscard]] const Matrix& F_y() const { return F_y_; }  ///< [ny × ny]   \pre `at`

 private:
  [[nodiscard]] bool compute(expr::TaylorSeries& series, double t, const double* y, ConstVector u_dot);

  std::shared_ptr<const equations::System> system_;  ///< whose graph the values stand on
  std::size_t ny_;
  MotionUnknowns unknowns_;
  std::vector<expr::Entry> E_y_, S_x_, S_y_;
  std::unique_ptr<expr::TaylorSeries> values_, rates_;  ///< of these entries; of S
  Matrix E_y_at_, S_x_at_, F_y_;
};

}  // namespace vinculum::sim
