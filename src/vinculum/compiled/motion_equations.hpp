#pragma once

#include <Eigen/QR>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include "vinculum/compiled/structure.hpp"
#include "vinculum/expr/taylor.hpp"

namespace vinculum::sim {

/// Equations of a motion before they are solved, for every reaction law: state y = (q, u, z) and unknowns x,
///
///   E(t, y, x) = 0,     y' = S(t, y, x)
///
/// x contains u', λ and efforts or, with constraints of higher order, the highest derivatives (theory.md §6.5). All
/// derivatives of a motion with respect to time and start values follow from E and S with the single matrix ∂E/∂x. The
/// System is a separate one, not that of the compiled model, so its graph may grow.
struct MotionEquations {
  std::shared_ptr<equations::System> system;
  std::vector<expr::Expr> state;     ///< [1 + nq + nu + nz] t, q, u, z
  std::vector<expr::Expr> unknowns;  ///< [n] x
  std::vector<expr::Expr> E;         ///< [n or more] left sides of E = 0; more than n if rows depend on each other
  std::vector<expr::Expr> S;         ///< [nq + nu + nz] functions of state and unknowns
};

/// \param embedding [nc] embedding of each row. Identically satisfied rows are left out, because only rounding errors
///   remain of them. Empty: no row is left out.
/// \param held  forces that become unknowns, see `equations::derive`; they are not among `unknowns`.
/// \returns kNotUnique, with the reason, if accelerations are not a smooth function of the state, or are not determined
/// by one system of equations: if friction may stick, if forces depend on λ_ideal, or if there are more actuators than
/// constraints.
[[nodiscard]] Outcome<MotionEquations> motion_equations(std::shared_ptr<const model::Model> model,
                                                        std::span<const Embedding> embedding = {},
                                                        std::span<equations::HeldForce> held = {});

/// The same equations also for motions with friction. E and S then contain the directions System::slide_direction,
/// which are neither state nor unknowns. The caller replaces them, or makes them unknowns.
/// \returns kNotUnique as above, but not for friction that may stick
[[nodiscard]] Outcome<MotionEquations> motion_equations_with_friction(std::shared_ptr<const model::Model> model,
                                                                      std::span<const Embedding> embedding);

/// Solves E(t, y, x) = 0 for x at a state, and linear systems with ∂E/∂x at this state. Rows may depend on each other
/// if they do not contradict each other.
class MotionUnknowns {
 public:
  MotionUnknowns(const MotionEquations& equations, std::span<const double> parameters);

  /// \param y  [q, u, z]   \param u_dot  initial guess of the accelerations if E is not linear in them.
  /// \returns false if there is no solution.
  [[nodiscard]] bool find(double t, const double* y, ConstVector u_dot);
  [[nodiscard]] const Vector& x() const { return x_; }
  /// The ξ with ∂E/∂x ξ = r; the ξ of least norm if there are several.   \param r [E] or [E × columns]
  /// \pre `find` was called
  [[nodiscard]] Matrix solve(ConstMatrix r) const;

 private:
  [[nodiscard]] bool factor();

  std::size_t first_unknown_;  ///< index of the first unknown among the inputs of `values_`
  std::vector<expr::Entry> by_unknowns_;
  expr::TaylorSeries values_;  ///< E and the entries of ∂E/∂x
  Vector x_, E_;
  Matrix E_x_;
  Vector row_scale_, column_scale_;
  Eigen::CompleteOrthogonalDecomposition<Matrix> solver_;
};

/// Concatenates lists.
[[nodiscard]] std::vector<expr::Expr> concatenated(std::initializer_list<std::span<const expr::Expr>> lists);

}  // namespace vinculum::sim
