#pragma once

#include <vector>

#include "vinculum/motion/accelerations/routes.hpp"
#include "vinculum/motion/equation_pieces.hpp"
#include "vinculum/numeric/ranked_rows.hpp"

namespace vinculum::sim {

/// Computes projections and accelerations of large models near singular configurations, by sparse matrices. The cost
/// grows with the number of nonzero entries; the dense matrices of the pivoted solver grow with the square of the
/// number of speeds. If the result is uncertain or does not exist, the caller falls back to the pivoted solver, which
/// can also name the rows that cause a failure.
class SparseSolver {
 public:
  SparseSolver(StateKernels& at, EquationPieces& pieces, const Routes& routes);

  /// Computes the least change of q or u after which the linearized rows φ or ψ are zero.
  /// \param worst  largest relative violation of the rows
  /// \param defect [rows]  scratch
  /// \returns false if the pivoted solver is to be used.
  [[nodiscard]] bool correct(double t, const double* y, const std::vector<int>& rows, bool of_positions, double worst,
                             Vector& defect, Vector& correction);

  /// Whether the model and the formulation allow accelerations by the sparse solver.
  [[nodiscard]] bool takes_accelerations() const { return takes_entries() && at_.nz == 0; }
  /// Computes u' at a state into `u_dot`, and q' into `EquationPieces::matrices`.
  /// \returns false if the pivoted solver is to be used.
  [[nodiscard]] bool solve_at(double t, const double* y);
  /// Whether the last accelerations are so uncertain that they are to be evaluated at the state projected onto the
  /// constraints.
  /// \pre `solve_at`
  [[nodiscard]] bool is_doubtful() const;
  [[nodiscard]] double defect() const { return defect_; }  ///< largest relative constraint violation of the state
  /// Whether the last accelerations satisfy the redundant rows that were left out, up to an error that the defect of
  /// the state explains.
  /// \pre `solve_at`
  [[nodiscard]] bool do_left_out_agree() const;
  [[nodiscard]] int rank() const { return rows_.rank(); }
  [[nodiscard]] const Vector& u_dot() const { return u_; }

 private:
  [[nodiscard]] bool takes_entries() const;
  /// Factors rows in the metric of M, with a rank tolerance that depends on their violation `defect` (PivotedSolve).
  /// \pre `EquationPieces` evaluated M and the rows at the state, and their weights (`RowConditioning::judge`); no
  /// kernel was evaluated since
  [[nodiscard]] bool factor(const std::vector<int>& rows, double defect);

  StateKernels& at_;
  EquationPieces& pieces_;
  const Routes& routes_;
  numeric::RankedRows rows_;
  numeric::SparseMatrix M_, At_, G_;
  Vector u_, lambda_, force_;
  double defect_ = 0.0;
};

}  // namespace vinculum::sim
