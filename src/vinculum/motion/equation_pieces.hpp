#pragma once

#include <memory>

#include "vinculum/motion/accelerations/nonlinear_rows.hpp"
#include "vinculum/motion/matrices.hpp"
#include "vinculum/motion/row_conditioning.hpp"
#include "vinculum/motion/state_kernels.hpp"

namespace vinculum::sim {

/// Reads the pieces of the equations of motion at a state and judges how accurate their rows are there. Functions with
/// a parameter `Matrices` fill it; `rows` describes the pieces that were filled last.
class EquationPieces {
 public:
  EquationPieces(StateKernels& at, const Mode& start);

  /// Reads the vectors, and A and φ_q as sparse entries with the sums of their rows. Rows that are identically
  /// satisfied become 0.
  /// \returns whether all pieces are finite.
  [[nodiscard]] bool read_vectors(double t, const double* y, Matrices& m, WithMass with_mass = WithMass::kYes);
  /// Reads the dense matrices as well.
  /// \returns whether all pieces are finite.
  [[nodiscard]] bool read_pieces(double t, const double* y, Matrices& m, WithMass with_mass = WithMass::kYes);
  /// As `read_pieces`, and judges row weights and uncertainties (RowConditioning); rows that are rounding errors become
  /// 0.
  [[nodiscard]] bool read_matrices(double t, const double* y, Matrices& m, WithMass with_mass = WithMass::kYes);
  /// As `read_matrices`, with rows that are nonlinear in u' linearized at the u' that satisfies them.
  /// \returns kNonFinite with the expression, and the failures of `NonlinearRows::settle`.
  [[nodiscard]] Outcome<void> evaluate(double t, const double* y, Matrices& m);
  /// Fills in the rows of A and b that are integrals of the motion (Structure::integrals). Solvers leave these rows
  /// out.
  void show_integrals(double t, const double* y, Matrices& m);
  /// A, and the residual of each row as stated [nc]. Does not check whether they are finite.
  void gradients(double t, const double* y, numeric::SparseRows& A, Vector& residual);

  /// Sets the sizes that violations of rows are divided by, from the pieces at a state. Does nothing if a piece is not
  /// finite.
  void learn_sizes_at(double t, const double* y);
  /// Sets the typical size of each row from states around y, and then calls `learn_sizes_at` for y.
  void learn_usual_sizes(double t, const Vector& y);

  /// Adds names, time and units to a failure of a solver.
  [[nodiscard]] Failure named(Failure failure, double t, model::Level level) const;
  /// The failure that names the expression that is not finite at a state.
  [[nodiscard]] Failure non_finite(double t, const double* y) const;

  Matrices matrices;  ///< Dense matrices among them get their memory when they are first read.
  RowConditioning rows;
  std::unique_ptr<NonlinearRows> nonlinear;  ///< Null if all rows are linear in u'.

 private:
  [[nodiscard]] Failure out_of_reach(Failure failure) const;
  /// Raises the sizes of rows that act only while a condition holds to the sizes that they have while they act.
  /// \param row, gradient [nc]  sizes of the rows of A and of φ_q
  void raise_to_switched_rows(double t, const Vector& y, Vector& row, Vector& gradient);

  StateKernels& at_;
};

}  // namespace vinculum::sim
