#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vinculum/compiled/motion_equations.hpp"
#include "vinculum/expr/taylor.hpp"

namespace vinculum::sim {

/// Derivatives of any order along a motion, at one of its states: Taylor series of E = 0 and s' = S. With x_k found
/// from ∂E/∂x x_k = −E_k, E_k taken at x_k = 0, the next coefficient of the state is S_k/(k + 1).
class MotionJets {
 public:
  /// \param parameters  their values.  \param highest  derivative of the speeds and states, ≥ 1.
  MotionJets(const MotionEquations& equations, std::span<const double> parameters, int highest);

  /// \param y      [q, u, z]   \param u_dot  near which accelerations are sought where E is not linear in them.
  /// \returns false where E = 0 has no solution near them.
  [[nodiscard]] bool compute(double t, const double* y, const Vector& u_dot);

  /// Derivative k of component i of (q, u, z).   \pre `compute`
  [[nodiscard]] double derivative(int i, int k) const;

 private:
  void set_state(int k);
  void set_unknowns(int k, const Vector& x);
  [[nodiscard]] Vector residual(int k) const;

  std::shared_ptr<const equations::System> system_;  ///< whose graph the series stand on
  int highest_;
  std::size_t size_, equation_count_;
  MotionUnknowns unknowns_;
  expr::TaylorSeries series_;               ///< roots E, S
  std::vector<std::vector<double>> state_;  ///< [order][size] coefficients
};

}  // namespace vinculum::sim
