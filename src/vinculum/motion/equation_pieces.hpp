#pragma once

#include <memory>

#include "vinculum/motion/accelerations/nonlinear_rows.hpp"
#include "vinculum/motion/matrices.hpp"
#include "vinculum/motion/row_conditioning.hpp"
#include "vinculum/motion/state_kernels.hpp"

namespace vinculum::sim {

/// The pieces of the equations of motion at a state, and how well their rows are known there. Functions that take
/// `Matrices` fill them; `rows` is about those filled last.
class EquationPieces {
 public:
  EquationPieces(StateKernels& at, const Mode& start);

  /// The vectors among the pieces, `A` and `phi_q` by their entries and the sums of their rows; rows that the
  /// coordinates hold are 0. \returns whether all pieces are finite.
  [[nodiscard]] bool read_vectors(double t, const double* y, Matrices& m, WithMass with_mass = WithMass::kYes);
  /// The matrices as well. \returns whether all of it is finite.
  [[nodiscard]] bool read_pieces(double t, const double* y, Matrices& m, WithMass with_mass = WithMass::kYes);
  /// The same, and how well rows are known.
  [[nodiscard]] bool read_matrices(double t, const double* y, Matrices& m, WithMass with_mass = WithMass::kYes);
  /// The same with rows settled that are not linear in u'. \returns kNonFinite with the culprit, and as
  /// `NonlinearRows::settle`.
  [[nodiscard]] Outcome<void> evaluate(double t, const double* y, Matrices& m);
  /// Fills in the rows of A and b that are integrals of the motion (Structure::integrals).
  void show_integrals(double t, const double* y, Matrices& m);
  /// A and the relation of each row as stated [nc], without any check.
  void gradients(double t, const double* y, numeric::SparseRows& A, Vector& residual);

  /// What violations of rows are relative to, from the pieces at a state; not where they are not finite.
  void learn_sizes_at(double t, const double* y);
  /// The usual size of each row from states around y, and `learn_sizes_at` this one.
  void learn_usual_sizes(double t, const Vector& y);

  /// Adds names, time and units to the failures of solvers.
  [[nodiscard]] Failure named(Failure failure, double t, model::Level level) const;
  /// What is not finite at a state.
  [[nodiscard]] Failure non_finite(double t, const double* y) const;

  Matrices matrices;  ///< those that grow with the square of the model once they are read
  RowConditioning rows;
  std::unique_ptr<NonlinearRows> nonlinear;  ///< where there are rows that are not linear in u'

 private:
  [[nodiscard]] Failure out_of_reach(Failure failure) const;
  /// Raises sizes of rows and of gradients to those that rows which act only at times have while they act.
  void raise_to_switched_rows(double t, const Vector& y, Vector& row, Vector& gradient);

  StateKernels& at_;
};

}  // namespace vinculum::sim
