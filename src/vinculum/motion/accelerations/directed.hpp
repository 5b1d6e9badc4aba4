#pragma once

#include "vinculum/motion/accelerations/route.hpp"
#include "vinculum/motion/pivoted_solve.hpp"
#include "vinculum/solve/pivoted/directed.hpp"

namespace vinculum::sim {

/// Solver for models with servo constraints, that is, with rows that actuator efforts enforce. The other rows have the
/// ideal law (theory.md §6.9).
class Directed final : public Route {
 public:
  explicit Directed(const equations::System& system);
  [[nodiscard]] Outcome<void> factor(const Matrices& at, double defect) override;
  [[nodiscard]] Outcome<void> solve(const Matrices& at, double defect, ConstVector force, ConstVector b,
                                    SolvedMotion& found) override;

  /// Returns the smallest response of a servo constraint to the efforts (DirectedSolve), and the row of that
  /// constraint.
  /// \pre `factor` was called
  [[nodiscard]] double weakest_response() const { return solve_.weakest_response(); }
  [[nodiscard]] int weakest_row() const { return solve_.weakest_row(); }
  /// Basis of the multipliers of ideal rows that exert no generalized force, one per column, with nc entries each.
  [[nodiscard]] Matrix indeterminate_multipliers(int nc);
  /// Whether the multiplier of each row is unique [nc]. Efforts are always unique.
  [[nodiscard]] std::vector<char> unique(int nc);

 private:
  solve::DirectedSolve solve_;
  PivotedSolve ideal_;  ///< solver for the rows of ideal law alone
  Matrix A_;            ///< rows of A with the ideal law
  Vector certainty_, doubt_;
  solve::DirectedSolution solution_;
  /// True if M and the ideal rows leave an acceleration undetermined that only a servo constraint determines. Then M +
  /// AᵀWA replaces M and f + AᵀWb replaces f, with A and b of the servo constraints and weights W. The solution is the
  /// same (numeric/semidefinite_mass.hpp).
  bool is_completed_ = false;
  std::vector<int> kept_;  ///< indices of the rows that efforts enforce
  Matrix kept_A_;          ///< these rows of A
  Vector weights_;         ///< weights W of these rows
  Matrix completed_;       ///< [nu×nu] M + AᵀWA, lower triangle
  Vector force_;           ///< [nu] f + AᵀWb
};

}  // namespace vinculum::sim
