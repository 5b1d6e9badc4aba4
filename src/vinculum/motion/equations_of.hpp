#pragma once

#include <optional>

#include "vinculum/motion/dynamics.hpp"
#include "vinculum/motion/higher_order.hpp"

namespace vinculum::sim {

/// The equations of motion at states, beyond `Dynamics::matrices`: `EquationsOf(dynamics).gradients(…)`.
class EquationsOf {
 public:
  explicit EquationsOf(Dynamics& dynamics) : dynamics_(dynamics) {}

  /// As `Dynamics::matrices` without a look at whether they are finite.
  /// \param with_mass  kNo: M and the metric may be left out, where nothing else asks for them.
  void matrices_as_they_are(const Mode& mode, double t, const double* y, Matrices& matrices,
                            WithMass with_mass = WithMass::kYes);
  /// Fills in the rows of A and b that are integrals of the motion (Structure::integrals). Solvers leave them out.
  void show_integrals(double t, const double* y, Matrices& matrices);
  /// A [nc × nu] and the relation of each row as stated [nc], without any check.   \param A  as long as the compiled
  /// model
  void gradients(const Mode& mode, double t, const double* y, numeric::SparseRows& A, Vector& residual);
  /// u', λ and generalized forces of constraints at a state, in `sample.reaction`: a report without outputs, residuals
  /// and uniqueness.   \returns as `Dynamics::derivative`
  [[nodiscard]] Outcome<void> react(const Mode& mode, double t, const double* y, Sample& sample);
  /// \returns why the motion is not found there; kNotUnique where a constraint of higher order has no row.
  [[nodiscard]] Outcome<MotionGeometry> geometry(double t, const double* y);
  /// The same over the speeds that texts show (model::shown_speeds).
  [[nodiscard]] Outcome<MotionGeometry> shown_geometry(double t, const double* y);

  /// That efforts all but cease to affect the constraints they keep here: why a step size collapsed.
  [[nodiscard]] std::optional<Failure> explain_weak_efforts(const Mode& mode, double t, const double* y);

  /// Of the system of the highest derivatives.
  [[nodiscard]] Regularity regularity(const Mode& mode, double t, const double* y);
  /// [n] largest entries of the rows of that system, where it was last read; unknowns in units of their sizes.
  [[nodiscard]] Vector row_sizes_of_highest() const;
  /// kSingularByMultipliers of these.
  [[nodiscard]] Failure singular(double t) const;

 private:
  Dynamics& dynamics_;
};

}  // namespace vinculum::sim
