#pragma once

#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/matrices.hpp"
#include "vinculum/motion/state_kernels.hpp"

namespace vinculum::sim {

/// How large rows of A are, and how well their numbers and those of the state are known where pieces of the equations
/// were read last.
class RowConditioning {
 public:
  /// \param start  the mode in which a motion begins
  RowConditioning(StateKernels& at, const Mode& start);

  /// Entries and sums of rows from the outputs of a kernel of matrices; rows that the coordinates hold are 0.
  void read(const MatricesLayout& layout, Matrices& m);

  /// Whether a row of A is rounding of its usual size, and acts on nothing here.
  [[nodiscard]] bool is_rounding(int row) const {
    return row_sums[row] <= tolerance::kRounded * at_.sizes.usual_row[row];
  }
  /// Certainty of rows: those that are rounding become zero in `A`, those that are much shorter than usual have lost
  /// digits of their direction, as many as the state has and more, and count for as much less as keeps what they err by
  /// below a rank.
  void judge(Matrices& m);
  /// Zero for the coefficients of speeds without mass that are rounding of the terms of their row: nothing else tells
  /// that no row determines such a speed.
  void forget_rounding_of_massless(Matrices& m) const;
  /// How much further rows turn than the state moves, both relative: `seen_by_rows`; and `Matrices::doubt`.
  void stir_state(double t, const double* y, Matrices& m);

  /// What violations of rows are relative to in the mode, from the rows read last.
  void learn_sizes(const Matrices& m);
  /// The relative distance of a state from its constraints as directions of rows show it: no rank is decided finer.
  /// \pre `stir_state` there
  [[nodiscard]] double seen_by_rows(double defect) const;
  /// The same of the pieces read last.
  [[nodiscard]] double seen_defect(const Matrices& m) const { return seen_by_rows(relative_defect(m)); }
  /// Whether a row is so short that its direction is unknown at this relative distance from the constraints.
  [[nodiscard]] bool has_doubtful_row(const Matrices& m, double defect) const;
  [[nodiscard]] double relative_defect(const Matrices& m) const;
  [[nodiscard]] double position_defect(const Matrices& m) const;  ///< of φ alone
  /// Whether the rows left out agree with the motion that `StateKernels::result` holds, as far as its state satisfies
  /// the constraints.
  [[nodiscard]] bool do_left_out_agree() const;

  numeric::SparseRows A, phi_q;    ///< but for rows that are not linear in u'
  Vector row_sums, gradient_sums;  ///< [nc] Σ |entry| of each in typical sizes

 private:
  [[nodiscard]] double size_in_place_of(int row, double size) const;

  StateKernels& at_;
  /// [position_rows], [velocity_rows] what stands for the size of a row that vanishes
  Vector position_without_gradient_, velocity_without_gradient_;
  double turning_ = 1.0;  ///< largest of |∂A_i/∂q| |q| over |A_i|, 1 at least
};

}  // namespace vinculum::sim
