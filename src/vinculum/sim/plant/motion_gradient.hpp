#pragma once

#include <memory>
#include <span>
#include <vector>

#include "vinculum/sim/plant/motion_equations.hpp"

namespace vinculum::sim {

/// ∂F/∂y of y' = F(t, y) at a state, exact whatever the law:  S_y − S_x E_x⁺ E_y  (motion_equations.hpp), with the
/// matrix of the motion itself.   Law: tests/agreement, beside differences.
class MotionGradient {
 public:
  MotionGradient(const MotionEquations& of, std::span<const double> parameters);

  /// \param y  [q, u, z]   \param u_dot  the accelerations there.   \returns false where there is none.
  [[nodiscard]] bool at(double t, const double* y, ConstVector u_dot);
  [[nodiscard]] const Matrix& F_y() const { return F_y_; }  ///< [ny × ny]   \pre `at`

 private:
  std::shared_ptr<const dynamics::System> system_;  ///< whose graph the values stand on
  std::size_t ny_;
  MotionUnknowns unknowns_;
  std::vector<expr::Entry> E_y_, S_x_, S_y_;
  std::unique_ptr<expr::TaylorSeries> values_;
  Matrix E_y_at_, S_x_at_, F_y_;
};

}  // namespace vinculum::sim
