#pragma once

#include "vinculum/motion/accelerations/route.hpp"
#include "vinculum/motion/pivoted_solve.hpp"
#include "vinculum/solve/pivoted/directed.hpp"

namespace vinculum::sim {

/// Rows kept by efforts beside those of ideal law (theory.md §6.9).
class Directed final : public Route {
 public:
  explicit Directed(const equations::System& system);
  [[nodiscard]] Outcome<void> factor(const Matrices& at, double defect) override;
  [[nodiscard]] Outcome<void> solve(const Matrices& at, double defect, ConstVector force, ConstVector b,
                                    SolvedMotion& found) override;

  /// The weakest response of a row to the efforts, see DirectedSolve, and the row. Needs a factor.
  [[nodiscard]] double weakest_response() const { return solve_.weakest_response(); }
  [[nodiscard]] int weakest_row() const { return solve_.weakest_row(); }
  /// Basis of the multipliers of the rows of ideal law that exert no generalized force. [nc × …]
  [[nodiscard]] Matrix indeterminate_multipliers(int nc);
  /// Whether the multiplier of each row is unique; efforts are. [nc]
  [[nodiscard]] std::vector<char> unique(int nc);

 private:
  solve::DirectedSolve solve_;
  PivotedSolve ideal_;  ///< of the rows of ideal law
  Matrix A_;            ///< of these
  Vector certainty_, doubt_;
  solve::DirectedSolution solution_;
  /// Rows kept by efforts stand for the inertia that M and the rows of ideal law lack: M + AᵀWA of them, with AᵀWb on
  /// the other side, has the same solution (numeric/semidefinite_mass.hpp).
  bool is_completed_ = false;
  std::vector<int> kept_;  ///< rows kept by efforts
  Matrix kept_A_;          ///< of these
  Vector weights_;         ///< of these
  Matrix completed_;       ///< [nu×nu] lower triangle
  Vector force_;           ///< [nu]
};

}  // namespace vinculum::sim
