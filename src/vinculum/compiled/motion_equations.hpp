#pragma once

#include <Eigen/QR>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include "vinculum/compiled/structure.hpp"
#include "vinculum/expr/taylor.hpp"

namespace vinculum::sim {

/// The equations of a motion before they are solved, whatever the law: a state s = (q, u, z) and what is found there,
///
///   E(t, s, x) = 0,     s' = S(t, s, x)
///
/// x holds u', λ and efforts, and where constraints are of higher order the highest derivatives (theory.md §6.5). All
/// derivatives of a motion, by the time and by its start, follow from E and S with the one matrix ∂E/∂x. A System of
/// its own: the graph may grow.
struct MotionEquations {
  std::shared_ptr<equations::System> system;
  std::vector<expr::Expr> state;     ///< [1 + nq + nu + nz] t, q, u, z
  std::vector<expr::Expr> unknowns;  ///< [n]
  std::vector<expr::Expr> E;         ///< [n], or more where rows depend on each other
  std::vector<expr::Expr> S;         ///< [nq + nu + nz] of state and unknowns
};

/// \returns kNotUnique, saying why, where accelerations are not smooth in the state or not one problem: friction that
/// may stick, forces stated by reactions of the motion without them, more actuators than constraints.
/// \param embedding [nc] what the coordinates leave of each row: those that they hold are left out, as what rounding
/// leaves of them is no equation; empty: none is.
/// \param held  forces that are unknowns, see `equations::derive`; they are not among `unknowns`.
[[nodiscard]] Outcome<MotionEquations> motion_equations(std::shared_ptr<const model::Model> model,
                                                        std::span<const Embedding> embedding = {},
                                                        std::span<equations::HeldForce> held = {});

/// x of E(t, y, x) = 0 at a state, and what is linear in ∂E/∂x there: rows that depend on each other included, as their
/// right-hand sides do.
class MotionUnknowns {
 public:
  MotionUnknowns(const MotionEquations& equations, std::span<const double> parameters);

  /// \param y  [q, u, z]   \param u_dot  accelerations near which x is sought where E is not linear in it.
  /// \returns false where there is none.
  [[nodiscard]] bool find(double t, const double* y, ConstVector u_dot);
  [[nodiscard]] const Vector& x() const { return x_; }
  /// ξ with ∂E/∂x ξ = r; the least where there are several.   \param r [E] or [E × columns]   \pre `find`
  [[nodiscard]] Matrix solve(ConstMatrix r) const;

 private:
  [[nodiscard]] bool factor();

  std::size_t first_unknown_;  ///< among the symbols of `values_`
  std::vector<expr::Entry> by_unknowns_;
  expr::TaylorSeries values_;  ///< E and the entries of ∂E/∂x
  Vector x_, E_;
  Matrix E_x_;
  Vector row_scale_, column_scale_;
  Eigen::CompleteOrthogonalDecomposition<Matrix> solver_;
};

/// One list behind the other.
[[nodiscard]] std::vector<expr::Expr> concatenated(std::initializer_list<std::span<const expr::Expr>> lists);

}  // namespace vinculum::sim
