#pragma once

#include <optional>

#include "vinculum/solve/pivoted/constrained_solve.hpp"

namespace vinculum::sim {

/// ConstrainedSolve over some rows, with a rank tolerance that depends on how well the state satisfies them.
///
/// Rows that depend on each other only on the constraint manifold (a redundant crank) are independent at a distance δ
/// from it. Their small singular values, of order δ, are meaningless, and their right-hand sides disagree by the order
/// of δ. So the rank tolerance is never finer than the relative defect δ of the state. On the manifold δ is rounding
/// error, and the tolerance equals the tolerance of ConstrainedSolve.
/// Source: docs/numerics.md (tolerances of rank).
class PivotedSolve {
 public:
  PivotedSolve(int nu, int nc);

  /// \param certainty [nc]  row weights, see ConstrainedSolve.
  /// \param defect  relative defect of the rows at this state, ≥ 0.   Allocates on first use.
  [[nodiscard]] Outcome<void> factor(ConstMatrix M, ConstMatrix A, ConstVector certainty, double defect);
  /// Uncertainties of the right-hand sides of later solves, as in ConstrainedSolve.
  /// \pre a factor
  void set_doubt(ConstVector doubt) { solver().set_doubt(doubt); }
  /// The solver that holds the factor.
  [[nodiscard]] solve::ConstrainedSolve& solver() { return *solver_; }
  /// Exchanges solvers with `other` if `other` has the factor of these numbers and this object has not. Does nothing
  /// otherwise.
  void take_factor_of(ConstMatrix M, ConstMatrix A, ConstVector certainty, PivotedSolve& other);

 private:
  int nu_, nc_;
  std::optional<solve::ConstrainedSolve> solver_;
};

}  // namespace vinculum::sim
