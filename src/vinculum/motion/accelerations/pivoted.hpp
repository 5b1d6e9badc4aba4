#pragma once

#include "vinculum/motion/accelerations/route.hpp"
#include "vinculum/motion/pivoted_solve.hpp"

namespace vinculum::sim {

/// ConstrainedSolve over all rows, each row enforced along its own gradient, in the metric of M. Its rank decision is
/// the authoritative one.
class Pivoted final : public Route {
 public:
  Pivoted(int nu, int nc) : rows_(nu, nc) {}
  [[nodiscard]] Outcome<void> factor(const Matrices& at, double defect) override;
  [[nodiscard]] Outcome<void> solve(const Matrices& at, double defect, ConstVector force, ConstVector b,
                                    SolvedMotion& found) override;
  /// Reuses the factor of another solver over all rows if it belongs to these matrices (PivotedSolve).
  void take_factor_of(const Matrices& at, PivotedSolve& other);
  /// The solver that holds the factor.
  [[nodiscard]] solve::ConstrainedSolve& rows() { return rows_.solver(); }

 private:
  PivotedSolve rows_;
};

}  // namespace vinculum::sim
