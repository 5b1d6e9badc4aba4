#pragma once

#include <memory>
#include <span>
#include <vector>

#include "vinculum/compiled/motion_equations.hpp"

namespace vinculum::sim {

/// The matrix ∂F/∂y of y' = F(t, y) at a state, exact for every reaction law: ∂F/∂y = S_y − S_x E_x⁺ E_y with E and S
/// of MotionEquations; subscripts are derivatives. If S has further entries, such as outputs, F has them too: m is the
/// number of all entries of S.   Test: tests/agreement, compared with finite differences.
class MotionGradient {
 public:
  /// \param by  indices of the parameters p by which F is differentiated too: ∂F/∂p = S_p − S_x E_x⁺ E_p
  MotionGradient(const MotionEquations& of, std::span<const double> parameters, std::span<const std::size_t> by = {});

  /// \param y  [q, u, z]   \param u_dot  accelerations at this state.   \returns false if E = 0 has no solution.
  [[nodiscard]] bool at(double t, const double* y, ConstVector u_dot);
  /// Computes F.   \param u_dot  initial guess of the accelerations.   \returns false if E = 0 has no solution.
  [[nodiscard]] bool rates_at(double t, const double* y, ConstVector u_dot, Eigen::Ref<Vector> F);
  [[nodiscard]] ConstMatrix F_y() const { return F_v_.leftCols(ny()); }                 ///< [m × ny]   \pre `at`
  [[nodiscard]] ConstMatrix F_p() const { return F_v_.rightCols(F_v_.cols() - ny()); }  ///< [m × by]   \pre `at`

 private:
  [[nodiscard]] Eigen::Index ny() const { return static_cast<Eigen::Index>(ny_); }
  [[nodiscard]] bool compute(expr::TaylorSeries& series, double t, const double* y, ConstVector u_dot);

  std::shared_ptr<const equations::System> system_;  ///< keeps the graph of the values alive
  std::size_t ny_;
  MotionUnknowns unknowns_;
  std::vector<expr::Entry> E_v_, S_x_, S_v_;            ///< v = (y, p)
  std::unique_ptr<expr::TaylorSeries> values_, rates_;  ///< `values_` computes these entries, `rates_` computes S
  Matrix E_v_at_, S_x_at_, F_v_;
};

}  // namespace vinculum::sim
