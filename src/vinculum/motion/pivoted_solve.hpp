#pragma once

#include <optional>

#include "vinculum/solve/pivoted/constrained_solve.hpp"

namespace vinculum::sim {

/// ConstrainedSolve over some rows, with a tolerance of rank that respects how well the state satisfies them.
///
/// Rows that depend on each other on the constraint manifold only (a redundant crank) are independent a distance δ away
/// from it, with singular values of the order δ that mean nothing, and disagree by the order of δ. So a rank is never
/// decided finer than the state's relative defect δ; on the manifold δ is rounding and the tolerance is
/// ConstrainedSolve's own.
/// Source: docs/numerics.md (tolerances of rank).
class PivotedSolve {
 public:
  PivotedSolve(int nu, int nc);

  /// \param certainty [nc] see ConstrainedSolve.
  /// \param defect  relative defect of the rows at this state, ≥ 0.   Allocates on the first use of a coarser
  /// tolerance.
  [[nodiscard]] Outcome<void> factor(ConstMatrix M, ConstMatrix A, ConstVector certainty, double defect);
  /// As in ConstrainedSolve, of the solves to come.   \pre a factor
  void set_doubt(ConstVector doubt) { solver().set_doubt(doubt); }
  /// The solver that holds the factor.
  [[nodiscard]] solve::ConstrainedSolve& solver() { return *solver_; }
  /// Takes the factor of another solver over as many rows, which gets this one's, where it is the factor of these
  /// numbers and this one's is not.
  void take_factor_of(ConstMatrix M, ConstMatrix A, ConstVector certainty, PivotedSolve& other);

 private:
  int nu_, nc_;
  std::optional<solve::ConstrainedSolve> solver_;
};

}  // namespace vinculum::sim
