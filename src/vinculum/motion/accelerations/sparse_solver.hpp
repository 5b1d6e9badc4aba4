#pragma once

#include <vector>

#include "vinculum/motion/accelerations/routes.hpp"
#include "vinculum/motion/equation_pieces.hpp"
#include "vinculum/numeric/ranked_rows.hpp"

namespace vinculum::sim {

/// Large models near singular poses: corrections and accelerations by the entries of their matrices, at a price that
/// goes with the size of the model; the matrices of the pivoted solver would grow with its square. What is not found
/// beyond doubt, and what fails, the pivoted solver decides and names.
class SparseSolver {
 public:
  SparseSolver(StateKernels& at, EquationPieces& pieces, const Routes& routes);

  /// The least change that brings rows to zero: of q or u.   \param worst  relative violation   \param defect [rows]
  /// scratch   \returns false where the pivoted solver is to decide.
  [[nodiscard]] bool correct(double t, const double* y, const std::vector<int>& rows, bool of_positions, double worst,
                             Vector& defect, Vector& correction);

  /// Whether the model and the formulation have accelerations by entries.
  [[nodiscard]] bool takes_accelerations() const { return takes_entries() && at_.nz == 0; }
  /// Accelerations at a state into `u_dot`, q' into the pieces. \returns false where the pivoted solver is to decide.
  [[nodiscard]] bool solve_at(double t, const double* y);
  /// Whether they are to be taken on the constraints instead.   \pre `solve_at` here and in what follows
  [[nodiscard]] bool is_doubtful() const;
  [[nodiscard]] double defect() const { return defect_; }  ///< relative, of the state
  /// Whether rows that are left out agree with those that are kept, as far as the numbers of the state are known.
  [[nodiscard]] bool do_left_out_agree() const;
  [[nodiscard]] int rank() const { return rows_.rank(); }
  [[nodiscard]] const Vector& u_dot() const { return u_; }

 private:
  [[nodiscard]] bool takes_entries() const;
  /// Factors rows in the metric of M with a tolerance of rank that respects their defect (PivotedSolve).
  /// \pre pieces with M read at the state, rows judged, nothing evaluated since
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
