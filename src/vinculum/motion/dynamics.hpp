#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "vinculum/compiled/binding.hpp"
#include "vinculum/equations/formulation.hpp"
#include "vinculum/motion/accelerations/near_singular.hpp"
#include "vinculum/motion/friction_reading.hpp"
#include "vinculum/motion/matrices.hpp"
#include "vinculum/motion/mode.hpp"
#include "vinculum/motion/sample.hpp"

namespace vinculum::sim {

class SurfaceMotion;

/// Evaluates the equations of one binding, with scratch of its own: one object a thread. `derivative` and `project`
/// allocate nothing after their first calls. By generated code where its guards accept it, else by solves with pivots
/// (ConstrainedSolve).
///
/// Every result is a function of the mode, t and y. Functions without a mode argument use the stored one, `mode()`;
/// `derivative(t, ...)` and `project(t, ...)` change it, no other function does. Given a const mode, evaluations leave
/// it as it is and have the bits that those of the motion would have.
class Dynamics {
 public:
  explicit Dynamics(const std::shared_ptr<const Binding>& bound);
  ~Dynamics();
  Dynamics(Dynamics&&) noexcept;
  Dynamics& operator=(Dynamics&&) noexcept;

  /// (t, [q, u, z]) → [q', u', z']: what `y` is everywhere.
  /// \returns kInconsistent with the rows named, kUndetermined with coordinates named, kNonFinite with the culprit,
  ///          kSingularKinematics where it lies in the definitions of the speeds.
  [[nodiscard]] Outcome<void> derivative(Mode& mode, double t, const double* y, double* y_dot);
  [[nodiscard]] Outcome<void> derivative(const Mode& mode, double t, const double* y, double* y_dot);
  [[nodiscard]] Outcome<void> derivative(double t, const double* y, double* y_dot) {
    return derivative(mode_, t, y, y_dot);
  }

  /// Brings quaternions to unit norm and q onto the rows of position level, then u onto all rows with ψ, in the metric
  /// of M, to rounding. States stay. The minimal formulation keeps its independent speeds instead, and solves ψ for the
  /// others.
  /// \returns the largest correction relative to `set_scale`; kInconsistent where the constraints cannot be reached.
  /// In a mode with levels (`keep_levels`) it keeps invariants as well: kNotConserved where they cannot be reached.
  [[nodiscard]] Outcome<double> project(Mode& mode, double t, double* y);
  [[nodiscard]] Outcome<double> project(const Mode& mode, double t, double* y);
  [[nodiscard]] Outcome<double> project(double t, double* y) { return project(mode_, t, y); }

  /// The stored mode.
  [[nodiscard]] const Mode& mode() const { return mode_; }
  /// \pre of a Dynamics of the same binding and formulation.
  void set_mode(Mode mode) { mode_ = std::move(mode); }

  /// The mode in which `project` keeps rows that are integrals of the motion at 0 and, if `with_conserved`, quantities
  /// of `conserve` at their values at this state, until `Mode::levels` is reset. Allocates.   \pre `set_scale`
  void keep_levels(Mode& mode, double t, const Vector& y, bool with_conserved = true);

  /// Accelerations that enter nonlinearly go on from those of a sample, on its branch. Nothing where none do.
  void set_accelerations(Mode& mode, const Sample& sample) const;
  /// How `derivative` and `project` are computed from here on; the motion is the same (theory.md §7). Only the explicit
  /// one has generated code. Allocates.
  void set_formulation(equations::Formulation formulation);
  [[nodiscard]] equations::Formulation formulation() const;

  /// Everything about the state, always by the pivoted solver: the truth. Allocates while `sample` grows to size.
  /// \returns why there is no complete sample: as `derivative`, or kNonFinite with an output, or an expectation that is
  /// to hold always, that is not finite.
  [[nodiscard]] Outcome<void> report(const Mode& mode, double t, const double* y, Sample& sample);
  [[nodiscard]] Outcome<void> report(double t, const double* y, Sample& sample) { return report(mode_, t, y, sample); }

  /// The pieces of the equations of motion at a state. \returns kNonFinite with the culprit.
  [[nodiscard]] Outcome<void> matrices(const Mode& mode, double t, const double* y, Matrices& matrices);
  /// \param scale [nq + nu + nz] typical size > 0 of each component.  \param tolerance  corrections count in tolerance
  /// × scale.
  void set_scale(const Vector& scale, double tolerance);
  /// Learns the usual size of each row from states around y, also off the constraints: where a row that vanishes on
  /// them has only rounding left, nothing is read from it. \pre `set_scale`
  void learn_row_sizes(Mode& mode, double t, const Vector& y);
  void learn_row_sizes(double t, const Vector& y) { learn_row_sizes(mode_, t, y); }
  [[nodiscard]] const Vector& scale() const;

  [[nodiscard]] const Binding& binding() const { return *bound_; }
  [[nodiscard]] std::shared_ptr<const Binding> shared_binding() const { return bound_; }
  /// The binding with the sides of a mode.
  [[nodiscard]] std::shared_ptr<const Binding> binding_of(const Mode& mode);

 private:
  friend class FrictionOf;
  friend class EquationsOf;
  struct Impl;
  /// Scratch that goes by a mode, or by a copy of one.
  [[nodiscard]] Impl& in(Mode& mode);
  [[nodiscard]] Impl& in_copy(const Mode& mode);
  [[nodiscard]] Outcome<void> report_along(Mode& mode, double t, const double* y, Sample& sample);
  /// Goes along the surfaces of a mode.
  [[nodiscard]] SurfaceMotion& along(const Mode& mode);

  std::shared_ptr<const Binding> bound_;
  Mode mode_, copy_;
  std::unique_ptr<Impl> impl_;
  std::unique_ptr<SurfaceMotion> along_;
};

}  // namespace vinculum::sim
