#pragma once

#include <vector>

#include "vinculum/motion/accelerations/routes.hpp"
#include "vinculum/motion/equation_pieces.hpp"
#include "vinculum/numeric/ranked_rows.hpp"

namespace vinculum::sim {

/// Corrections and accelerations of large models near singular configurations, by sparse matrices. The cost grows with
/// the number of entries; the dense matrices of the pivoted solver grow with the square of the model. If the result is
/// not certain or does not exist, the caller falls back to the pivoted solver, which names failures.
class SparseSolver {
 public:
  SparseSolver(StateKernels& at, EquationPieces& pieces, const Routes& routes);

  /// The least change of q or u that brings rows to zero.
  /// \param worst  largest relative violation
  /// \param defect [rows]  scratch
  /// \returns false if the pivoted solver is to decide.
  [[nodiscard]] bool correct(double t, const double* y, const std::vector<int>& rows, bool of_positions, double worst,
                             Vector& defect, Vector& correction);

  /// Whether the model and the formulation allow accelerations by the sparse solver.
  [[nodiscard]] bool takes_accelerations() const { return takes_entries() && at_.nz == 0; }
  /// Computes u' at a state into `u_dot`, and q' into the pieces.
  /// \returns false if the pivoted solver is to decide.
  [[nodiscard]] bool solve_at(double t, const double* y);
  /// Whether the last accelerations are so uncertain that they are to be evaluated on the constraints.
  /// \pre `solve_at`
  [[nodiscard]] bool is_doubtful() const;
  [[nodiscard]] double defect() const { return defect_; }  ///< relative defect of the state
  /// Whether the redundant rows that were left out agree with the rows in use, as far as the accuracy of the state
  /// allows.
  /// \pre `solve_at`
  [[nodiscard]] bool do_left_out_agree() const;
  [[nodiscard]] int rank() const { return rows_.rank(); }
  [[nodiscard]] const Vector& u_dot() const { return u_; }

 private:
  [[nodiscard]] bool takes_entries() const;
  /// Factors rows in the metric of M, with a rank tolerance that depends on their defect (PivotedSolve).
  /// \pre pieces with M were read at the state, rows judged, and nothing evaluated since
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
