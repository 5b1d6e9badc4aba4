#pragma once

#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/matrices.hpp"
#include "vinculum/motion/state_kernels.hpp"

namespace vinculum::sim {

/// Measures the lengths of the constraint rows (rows of A and φ_q = ∂φ/∂q), and the accuracy of the rows and of the
/// state, at the state where the equations were evaluated last.
class RowConditioning {
 public:
  /// \param start  the mode in which a motion begins
  RowConditioning(StateKernels& at, const Mode& start);

  /// Reads A and φ_q from the outputs of a kernel of matrices, and computes `row_sums` and `gradient_sums`. Rows that
  /// are identically satisfied become 0.
  void read(const MatricesLayout& layout, Matrices& m);

  /// Whether a row of A consists of rounding errors, compared with its typical length. Such a row restricts nothing at
  /// this state.
  [[nodiscard]] bool is_rounding(int row) const {
    return row_sums[row] <= tolerance::kRounded * at_.sizes.usual_row[row];
  }
  /// Sets the row weights `Matrices::certainty`. A row that consists of rounding errors becomes zero in `A`. A row that
  /// is much shorter than its typical length has an inaccurate direction, because the state has rounding errors and
  /// violates the constraints. The weight of such a row is reduced until its weighted error is below the rank
  /// tolerance.
  void judge(Matrices& m);
  /// Sets entries of A in columns of speeds without mass to zero if they are rounding errors of the terms of their row.
  /// Otherwise the row would seem to determine the speed.
  void forget_rounding_of_massless(Matrices& m) const;
  /// Perturbs the state and measures how much A and b change. Sets the factor that `seen_by_rows` uses, and the
  /// uncertainty of b, `Matrices::doubt`.
  void stir_state(double t, const double* y, Matrices& m);

  /// Sets the sizes by which violations of rows are divided (`Mode::position_size`, `velocity_size`), from the rows
  /// read last.
  void learn_sizes(const Matrices& m);
  /// Returns the error of the directions of rows at a state with this defect. It is the defect times the largest ratio
  /// of the relative change of a row to the relative change of the state. No rank is decided with a smaller tolerance.
  /// \param defect  largest relative violation of the constraints at the state
  /// \pre `stir_state` at the state
  [[nodiscard]] double seen_by_rows(double defect) const;
  /// `seen_by_rows` for the defect of the state evaluated last.
  [[nodiscard]] double seen_defect(const Matrices& m) const { return seen_by_rows(relative_defect(m)); }
  /// Whether a row is so short, compared with its typical length, that its direction is unknown at a state with this
  /// defect.
  [[nodiscard]] bool has_doubtful_row(const Matrices& m, double defect) const;
  /// Returns the largest |φ| or |ψ| divided by the size of its row (`Mode::position_size`, `velocity_size`).
  [[nodiscard]] double relative_defect(const Matrices& m) const;
  [[nodiscard]] double position_defect(const Matrices& m) const;  ///< largest |φ| divided by the size of its row
  /// Whether generated code, which leaves out redundant rows, found accelerations (in `StateKernels::result`) that
  /// satisfy those rows too, up to an error in proportion to the defect of the state.
  [[nodiscard]] bool do_left_out_agree() const;

  numeric::SparseRows A, phi_q;    ///< rows that are nonlinear in u' are missing
  Vector row_sums, gradient_sums;  ///< [nc] lengths of the rows of A and of φ_q: Σ_j |entry j| × typical size j

 private:
  [[nodiscard]] double size_in_place_of(int row, double size) const;

  StateKernels& at_;
  /// [position_rows], [velocity_rows] size by which the violation of a row is divided if both its gradient and its
  /// typical length are zero
  Vector position_without_gradient_, velocity_without_gradient_;
  double turning_ = 1.0;  ///< largest ratio |∂A_i/∂(q, u)| |(q, u)| / |A_i| among the rows A_i, at least 1
};

}  // namespace vinculum::sim
