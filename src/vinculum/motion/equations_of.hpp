#pragma once

#include <optional>

#include "vinculum/motion/dynamics.hpp"
#include "vinculum/motion/higher_order.hpp"

namespace vinculum::sim {

/// View of the equations of motion at states, beyond `Dynamics::matrices`. Use: `EquationsOf(dynamics).gradients(…)`.
class EquationsOf {
 public:
  explicit EquationsOf(Dynamics& dynamics) : dynamics_(dynamics) {}

  /// As `Dynamics::matrices`, without the check whether they are finite.
  /// \param with_mass  kNo: M and the metric may be left out if nothing else needs them.
  void matrices_as_they_are(const Mode& mode, double t, const double* y, Matrices& matrices,
                            WithMass with_mass = WithMass::kYes);
  /// Fills in the rows of A and b that are integrals of the motion (Structure::integrals). Solvers leave them out.
  void show_integrals(double t, const double* y, Matrices& matrices);
  /// A [nc × nu], and the absolute residual of each row as stated [nc]. Does not check whether they are finite.
  /// \param A  refers to a pattern of the compiled model, which must outlive it
  void gradients(const Mode& mode, double t, const double* y, numeric::SparseRows& A, Vector& residual);
  /// u', λ and the generalized forces of the constraints at a state, in `sample.reaction`: a report without outputs,
  /// residuals and uniqueness.
  /// \returns as `Dynamics::derivative`
  [[nodiscard]] Outcome<void> react(const Mode& mode, double t, const double* y, Sample& sample);
  /// The geometry of constrained motion at a state (theory.md §4.4), in the stored mode.
  /// \returns why the motion is not found there; kNotUnique if a constraint of higher order has no row.
  [[nodiscard]] Outcome<MotionGeometry> geometry(double t, const double* y);
  /// The same in the speeds that the model text uses (model::shown_speeds).
  [[nodiscard]] Outcome<MotionGeometry> shown_geometry(double t, const double* y);

  /// For the message after step sizes have collapsed: the failure that actuator efforts have almost no effect here on
  /// the constraints that they keep; nothing if they have.
  [[nodiscard]] std::optional<Failure> explain_weak_efforts(const Mode& mode, double t, const double* y);

  /// Sign of the determinant and last pivot of the system of the highest derivatives.
  [[nodiscard]] Regularity regularity(const Mode& mode, double t, const double* y);
  /// [n] largest entry of each row of that system as it was last read, with unknowns in units of their typical sizes.
  [[nodiscard]] Vector row_sizes_of_highest() const;
  /// The failure kSingularByMultipliers of the system of the highest derivatives.
  [[nodiscard]] Failure singular(double t) const;

 private:
  Dynamics& dynamics_;
};

}  // namespace vinculum::sim
