#pragma once

#include "vinculum/motion/accelerations/route.hpp"
#include "vinculum/motion/pivoted_solve.hpp"

namespace vinculum::sim {

/// Solves for accelerations with ConstrainedSolve over all rows, in the metric of M. Each row is enforced by a reaction
/// along its own gradient. If solvers find different ranks, the rank found by this solver counts.
class Pivoted final : public Route {
 public:
  Pivoted(int nu, int nc) : rows_(nu, nc) {}
  [[nodiscard]] Outcome<void> factor(const Matrices& at, double defect) override;
  [[nodiscard]] Outcome<void> solve(const Matrices& at, double defect, ConstVector force, ConstVector b,
                                    SolvedMotion& found) override;
  /// Takes over the factor of another solver over all rows if that factor belongs to these matrices (PivotedSolve).
  void take_factor_of(const Matrices& at, PivotedSolve& other);
  /// Returns the solver that contains the factor.
  [[nodiscard]] solve::ConstrainedSolve& rows() { return rows_.solver(); }

 private:
  PivotedSolve rows_;
};

}  // namespace vinculum::sim
