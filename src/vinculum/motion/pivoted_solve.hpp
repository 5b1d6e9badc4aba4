#pragma once

#include <optional>

#include "vinculum/solve/pivoted/constrained_solve.hpp"

namespace vinculum::sim {

/// Wraps ConstrainedSolve over some constraint rows, with a rank tolerance that depends on the relative defect δ of the
/// state, that is, on how much the state violates the rows.
///
/// Some rows depend on each other only at states that satisfy the constraints (for example a redundant crank). At a
/// state with defect δ such rows have small singular values of order δ, which are meaningless, and their right-hand
/// sides disagree by the order of δ. So the rank tolerance is never smaller than δ. If δ is only rounding error, the
/// tolerance equals the tolerance of ConstrainedSolve.
/// Source: docs/numerics.md (tolerances of rank).
class PivotedSolve {
 public:
  PivotedSolve(int nu, int nc);

  /// \param certainty [nc]  row weights in (0, 1], see ConstrainedSolve.
  /// \param defect  largest relative violation of the rows at this state, ≥ 0.   Allocates on first use.
  [[nodiscard]] Outcome<void> factor(ConstMatrix M, ConstMatrix A, ConstVector certainty, double defect);
  /// Sets compliances of the rows for later factors, see ConstrainedSolve.
  void set_compliance(ConstVector compliance);
  /// Sets the uncertainties of the right-hand sides of later solves, see ConstrainedSolve.
  /// \pre `factor` was called
  void set_doubt(ConstVector doubt) { solver().set_doubt(doubt); }
  /// Returns the solver that contains the factor.
  /// \pre `factor` was called
  [[nodiscard]] solve::ConstrainedSolve& solver() { return *solver_; }
  /// Exchanges solvers with `other` if `other` has the factor of these matrices and this object does not have it.
  /// Otherwise does nothing.
  void take_factor_of(ConstMatrix M, ConstMatrix A, ConstVector certainty, PivotedSolve& other);

 private:
  int nu_, nc_;
  std::optional<solve::ConstrainedSolve> solver_;
};

}  // namespace vinculum::sim
