#pragma once

#include "vinculum/motion/accelerations/route.hpp"
#include "vinculum/motion/pivoted_solve.hpp"
#include "vinculum/solve/pivoted/directed.hpp"

namespace vinculum::sim {

/// Servo constraints: rows kept by actuator efforts, together with rows of ideal law (theory.md §6.9).
class Directed final : public Route {
 public:
  explicit Directed(const equations::System& system);
  [[nodiscard]] Outcome<void> factor(const Matrices& at, double defect) override;
  [[nodiscard]] Outcome<void> solve(const Matrices& at, double defect, ConstVector force, ConstVector b,
                                    SolvedMotion& found) override;

  /// Weakest response of a row to the efforts (DirectedSolve), and that row.
  /// \pre a factor
  [[nodiscard]] double weakest_response() const { return solve_.weakest_response(); }
  [[nodiscard]] int weakest_row() const { return solve_.weakest_row(); }
  /// Basis of the multipliers of ideal rows that exert no generalized force [nc × …].
  [[nodiscard]] Matrix indeterminate_multipliers(int nc);
  /// Whether the multiplier of each row is unique [nc]. Efforts always are.
  [[nodiscard]] std::vector<char> unique(int nc);

 private:
  solve::DirectedSolve solve_;
  PivotedSolve ideal_;  ///< over the rows of ideal law
  Matrix A_;            ///< rows of ideal law of A
  Vector certainty_, doubt_;
  solve::DirectedSolution solution_;
  /// Whether M lacks inertia that only the rows kept by efforts determine. Then M + AᵀWA and f + AᵀWb, with A and b of
  /// these rows, replace M and f; the solution is the same (numeric/semidefinite_mass.hpp).
  bool is_completed_ = false;
  std::vector<int> kept_;  ///< rows kept by efforts
  Matrix kept_A_;          ///< their rows of A
  Vector weights_;         ///< their weights W
  Matrix completed_;       ///< [nu×nu] M + AᵀWA, lower triangle
  Vector force_;           ///< [nu] f + AᵀWb
};

}  // namespace vinculum::sim
