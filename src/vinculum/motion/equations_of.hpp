#pragma once

#include <optional>

#include "vinculum/motion/dynamics.hpp"
#include "vinculum/motion/higher_order.hpp"

namespace vinculum::sim {

/// Read-only access to the equations of motion at states, for quantities that `Dynamics::matrices` does not return.
/// Use: `EquationsOf(dynamics).gradients(…)`.
class EquationsOf {
 public:
  explicit EquationsOf(Dynamics& dynamics) : dynamics_(dynamics) {}

  /// Fills the same matrices as `Dynamics::matrices`, but does not check whether they are finite.
  /// \param with_mass  kNo: M and the metric need not be evaluated.
  void matrices_as_they_are(const Mode& mode, double t, const double* y, Matrices& matrices,
                            WithMass with_mass = WithMass::kYes);
  /// Fills in the rows of A and b of constraints that are integrals of the motion (Structure::integrals).
  /// `Dynamics::matrices` leaves these rows 0, because they need no force.
  void show_integrals(double t, const double* y, Matrices& matrices);
  /// Computes A [nc × nu] and the absolute residual of each row as stated [nc]. Does not check whether they are finite.
  /// \param A  refers to a pattern of the compiled model; the compiled model must outlive A
  void gradients(const Mode& mode, double t, const double* y, numeric::SparseRows& A, Vector& residual);
  /// Computes u', λ and the generalized forces of the constraints at a state into `sample.reaction`. Unlike
  /// `Dynamics::report` it computes no outputs, residuals or uniqueness.
  /// \returns the failures of `Dynamics::derivative`
  [[nodiscard]] Outcome<void> react(const Mode& mode, double t, const double* y, Sample& sample);
  /// Computes the geometry of constrained motion at a state (theory.md §4.4), in the stored mode.
  /// \returns the failures of `Dynamics::derivative`; kNotUnique if a constraint of higher order has no row.
  [[nodiscard]] Outcome<MotionGeometry> geometry(double t, const double* y);
  /// Does the same as `geometry`, but in the speeds that the model text uses (model::shown_speeds).
  [[nodiscard]] Outcome<MotionGeometry> shown_geometry(double t, const double* y);

  /// Explains step sizes that became too small. Returns the failure that actuator efforts have almost no effect at this
  /// state on the constraints that they enforce, or nothing if they have an effect.
  [[nodiscard]] std::optional<Failure> explain_weak_efforts(const Mode& mode, double t, const double* y);

  /// Returns the sign of the determinant, and last pivot, of the matrix J of the highest derivatives (theory.md §6.5).
  [[nodiscard]] Regularity regularity(const Mode& mode, double t, const double* y);
  /// Returns the largest entry of each row of J when J was last evaluated, with unknowns in units of their typical
  /// sizes [n].
  [[nodiscard]] Vector row_sizes_of_highest() const;
  /// Returns the failure kSingularByMultipliers, which says that the matrix J of the highest derivatives is singular.
  [[nodiscard]] Failure singular(double t) const;

 private:
  Dynamics& dynamics_;
};

}  // namespace vinculum::sim
