#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vinculum/compiled/motion_equations.hpp"
#include "vinculum/expr/taylor.hpp"

namespace vinculum::sim {

/// Time derivatives of any order of a motion at one state, by Taylor series of E = 0 and y' = S (MotionEquations).
/// Coefficient k of x follows from ∂E/∂x x_k = −E_k, with E_k evaluated at x_k = 0; coefficient k + 1 of the state is
/// S_k/(k + 1).
class MotionJets {
 public:
  /// \param parameters  values of the parameters.  \param highest  highest derivative of speeds and states, ≥ 1.
  MotionJets(const MotionEquations& equations, std::span<const double> parameters, int highest);

  /// \param y      [q, u, z]   \param u_dot  initial guess of the accelerations if E is not linear in them.
  /// \returns false if no solution of E = 0 was found.
  [[nodiscard]] bool compute(double t, const double* y, const Vector& u_dot);

  /// Time derivative of order k of component i of (q, u, z).   \pre `compute` was called
  [[nodiscard]] double derivative(int i, int k) const;

 private:
  void set_state(int k);
  void set_unknowns(int k, const Vector& x);
  [[nodiscard]] Vector residual(int k) const;

  std::shared_ptr<const equations::System> system_;  ///< keeps the graph of the series alive
  int highest_;
  std::size_t size_, equation_count_;
  MotionUnknowns unknowns_;
  expr::TaylorSeries series_;               ///< series of E and S
  std::vector<std::vector<double>> state_;  ///< [order][size] Taylor coefficients of (q, u, z)
};

}  // namespace vinculum::sim
