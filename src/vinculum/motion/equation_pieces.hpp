#pragma once

#include <memory>

#include "vinculum/motion/accelerations/nonlinear_rows.hpp"
#include "vinculum/motion/matrices.hpp"
#include "vinculum/motion/row_conditioning.hpp"
#include "vinculum/motion/state_kernels.hpp"

namespace vinculum::sim {

/// Evaluates the vectors and matrices of the equations of motion (M, f, A, b, …) at a state, and estimates how accurate
/// the constraint rows are there. Functions with a parameter `Matrices` fill it. The member `rows` describes the
/// constraint rows that were evaluated last.
class EquationPieces {
 public:
  EquationPieces(StateKernels& at, const Mode& start);

  /// Evaluates the vectors into m, and A and φ_q = ∂φ/∂q as sparse matrices with weighted row sums into `rows`. Rows
  /// that are identically satisfied become 0.
  /// \returns whether all values are finite.
  [[nodiscard]] bool read_vectors(double t, const double* y, Matrices& m, WithMass with_mass = WithMass::kYes);
  /// Does the same as `read_vectors`, and also fills the dense matrices of m.
  /// \returns whether all values are finite.
  [[nodiscard]] bool read_pieces(double t, const double* y, Matrices& m, WithMass with_mass = WithMass::kYes);
  /// Does the same as `read_pieces`, and also computes row weights and the uncertainties of b (RowConditioning). Rows
  /// of A that consist of rounding errors become 0.
  [[nodiscard]] bool read_matrices(double t, const double* y, Matrices& m, WithMass with_mass = WithMass::kYes);
  /// Does the same as `read_matrices`, and also fills rows that are nonlinear in u', linearized at the u' that
  /// satisfies them.
  /// \returns kNonFinite with the expression, and the failures of `NonlinearRows::settle`.
  [[nodiscard]] Outcome<void> evaluate(double t, const double* y, Matrices& m);
  /// Fills in the rows of A and b of constraints that are integrals of the motion (Structure::integrals). The other
  /// functions leave these rows 0, because they need no force.
  void show_integrals(double t, const double* y, Matrices& m);
  /// Evaluates A and the residual of each row as stated [nc]. Does not check whether they are finite.
  void gradients(double t, const double* y, numeric::SparseRows& A, Vector& residual);

  /// Sets the sizes by which violations of rows are divided (`Mode::position_size`, `velocity_size`), from the rows at
  /// a state. Does nothing if a value is not finite.
  void learn_sizes_at(double t, const double* y);
  /// Sets the typical length of each row (`Sizes::usual_row`, `usual_gradient`) to the largest at y and at states
  /// around y, and then calls `learn_sizes_at` for y.
  void learn_usual_sizes(double t, const Vector& y);

  /// Completes a failure of a solver: adds the time, units and the names that the model uses.
  [[nodiscard]] Failure named(Failure failure, double t, model::Level level) const;
  /// Returns the failure that names the expression that is not finite at a state.
  [[nodiscard]] Failure non_finite(double t, const double* y) const;

  Matrices matrices;  ///< dense matrices get their memory when they are first read
  RowConditioning rows;
  std::unique_ptr<NonlinearRows> nonlinear;  ///< null if all rows are linear in u'

 private:
  [[nodiscard]] Failure out_of_reach(Failure failure) const;
  /// Some rows act only while a condition is true; elsewhere such a row is 0. Raises the length of such a row to the
  /// length that it has while it acts.
  /// \param row, gradient [nc]  lengths Σ_j |entry| × typical size of the rows of A and of φ_q; raised in place
  void raise_to_switched_rows(double t, const Vector& y, Vector& row, Vector& gradient);

  StateKernels& at_;
};

}  // namespace vinculum::sim
