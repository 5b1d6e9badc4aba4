#pragma once

#include <memory>
#include <span>
#include <vector>

#include "vinculum/compiled/motion_equations.hpp"

namespace vinculum::sim {

/// The matrix ∂F/∂y of y' = F(t, y) at a state, exact for every reaction law: ∂F/∂y = S_y − S_x E_x⁺ E_y with E and S
/// of MotionEquations; subscripts are derivatives.   Test: tests/agreement, compared with finite differences.
class MotionGradient {
 public:
  MotionGradient(const MotionEquations& of, std::span<const double> parameters);

  /// \param y  [q, u, z]   \param u_dot  accelerations at this state.   \returns false if E = 0 has no solution.
  [[nodiscard]] bool at(double t, const double* y, ConstVector u_dot);
  /// Computes F.   \param u_dot  initial guess of the accelerations.   \returns false if E = 0 has no solution.
  [[nodiscard]] bool rates_at(double t, const double* y, ConstVector u_dot, Eigen::Ref<Vector> F);
  [[nodiscard]] const Matrix& F_y() const { return F_y_; }  ///< [ny × ny]   \pre `at`

 private:
  [[nodiscard]] bool compute(expr::TaylorSeries& series, double t, const double* y, ConstVector u_dot);

  std::shared_ptr<const equations::System> system_;  ///< keeps the graph of the values alive
  std::size_t ny_;
  MotionUnknowns unknowns_;
  std::vector<expr::Entry> E_y_, S_x_, S_y_;
  std::unique_ptr<expr::TaylorSeries> values_, rates_;  ///< `values_` computes these entries, `rates_` computes S
  Matrix E_y_at_, S_x_at_, F_y_;
};

}  // namespace vinculum::sim
