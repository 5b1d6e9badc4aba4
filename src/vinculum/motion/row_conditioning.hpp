#pragma once

#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/matrices.hpp"
#include "vinculum/motion/state_kernels.hpp"

namespace vinculum::sim {

/// Sizes of the rows of A, and the accuracy of the rows and of the state, at the state where the pieces of the
/// equations were read last.
class RowConditioning {
 public:
  /// \param start  the mode in which a motion begins
  RowConditioning(StateKernels& at, const Mode& start);

  /// Reads entries and row sums from the outputs of a kernel of matrices. Rows that are identically satisfied become 0.
  void read(const MatricesLayout& layout, Matrices& m);

  /// Whether a row of A is only rounding error compared with its typical size. Such a row restricts nothing here.
  [[nodiscard]] bool is_rounding(int row) const {
    return row_sums[row] <= tolerance::kRounded * at_.sizes.usual_row[row];
  }
  /// Sets the row weights `Matrices::certainty`. A row that is only rounding error becomes zero in `A`. A row that is
  /// much shorter than typical has lost digits of its direction, because the state has rounding errors and a
  /// defect. Its weight is reduced until its error is below the rank tolerance.
  void judge(Matrices& m);
  /// Sets coefficients of speeds without mass to zero if they are rounding errors of the terms of their row. Otherwise
  /// such a row would seem to determine the speed.
  void forget_rounding_of_massless(Matrices& m) const;
  /// Perturbs the state to measure how sensitive the rows are to it: sets the factor of `seen_by_rows`, and the
  /// uncertainty of b, `Matrices::doubt`.
  void stir_state(double t, const double* y, Matrices& m);

  /// Sets the sizes by which violations of rows are divided, in the mode, from the rows read last.
  void learn_sizes(const Matrices& m);
  /// The defect of a state times the factor by which the directions of rows change more than the state does. No rank is
  /// decided with a finer tolerance.
  /// \param defect  relative distance of the state from its constraints
  /// \pre `stir_state` at the state
  [[nodiscard]] double seen_by_rows(double defect) const;
  /// The same for the pieces read last.
  [[nodiscard]] double seen_defect(const Matrices& m) const { return seen_by_rows(relative_defect(m)); }
  /// Whether a row is so short that its direction is unknown at this relative distance from the constraints.
  [[nodiscard]] bool has_doubtful_row(const Matrices& m, double defect) const;
  [[nodiscard]] double relative_defect(const Matrices& m) const;
  [[nodiscard]] double position_defect(const Matrices& m) const;  ///< of φ only
  /// Whether redundant rows that generated code left out agree with the motion in `StateKernels::result`, as far as its
  /// state satisfies the constraints.
  [[nodiscard]] bool do_left_out_agree() const;

  numeric::SparseRows A, phi_q;    ///< without the rows that are nonlinear in u'
  Vector row_sums, gradient_sums;  ///< [nc] Σ |entry| × typical size

 private:
  [[nodiscard]] double size_in_place_of(int row, double size) const;

  StateKernels& at_;
  /// [position_rows], [velocity_rows] replaces the size of a row whose gradient and typical size vanish
  Vector position_without_gradient_, velocity_without_gradient_;
  double turning_ = 1.0;  ///< largest ratio |∂A_i/∂q| |q| / |A_i| among the rows, at least 1
};

}  // namespace vinculum::sim
