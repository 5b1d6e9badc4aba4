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

/// Evaluates the equations of motion of one binding: derivatives, projections and reports. The object owns its scratch
/// memory, so use one object per thread. `derivative` and `project` allocate nothing after their first calls. Results
/// come from generated code if its guards accept them, otherwise from the pivoted solver (ConstrainedSolve).
///
/// Every result is a function of the mode, t and y. Functions without a mode argument use the stored mode, `mode()`. Of
/// these, `derivative(t, ...)` and `project(t, ...)` change the stored mode, and the others do not. Overloads with a
/// const mode leave that mode unchanged and return the same bits as the overloads that change it.
class Dynamics {
 public:
  explicit Dynamics(const std::shared_ptr<const Binding>& bound);
  ~Dynamics();
  Dynamics(Dynamics&&) noexcept;
  Dynamics& operator=(Dynamics&&) noexcept;

  /// Derivative of the state: maps t and y = [q, u, z] to [q', u', z']. `y` has this layout everywhere.
  /// \returns kInconsistent with the rows, kUndetermined with the coordinates, kNonFinite with the expression that is
  /// not finite, kSingularKinematics if the definitions of the speeds are singular.
  [[nodiscard]] Outcome<void> derivative(Mode& mode, double t, const double* y, double* y_dot);
  [[nodiscard]] Outcome<void> derivative(const Mode& mode, double t, const double* y, double* y_dot);
  [[nodiscard]] Outcome<void> derivative(double t, const double* y, double* y_dot) {
    return derivative(mode_, t, y, y_dot);
  }

  /// Projects a state onto its constraints, to machine precision. Quaternions get unit norm. Then q is changed until
  /// φ = 0, and u until ψ = 0, by the least change in the metric of M. Extra states z do not change, except if a
  /// constraint contains them (StateConditions) or is of higher order (HiddenEquations). The minimal formulation leaves
  /// its independent speeds unchanged and solves ψ = 0 for the others. In a mode with levels (`keep_levels`) the
  /// projection also restores invariants.
  /// \returns the largest correction, in units of tolerance × typical size (`set_scale`); kInconsistent if no state
  /// near y satisfies the constraints, kNotConserved if the invariants cannot be restored.
  [[nodiscard]] Outcome<double> project(Mode& mode, double t, double* y);
  [[nodiscard]] Outcome<double> project(const Mode& mode, double t, double* y);
  [[nodiscard]] Outcome<double> project(double t, double* y) { return project(mode_, t, y); }

  /// Returns the stored mode.
  [[nodiscard]] const Mode& mode() const { return mode_; }
  /// Replaces the stored mode.
  /// \pre the mode comes from a Dynamics of the same binding and formulation.
  void set_mode(Mode mode) { mode_ = std::move(mode); }

  /// After this call, `project` in this mode restores ψ = 0 of constraint rows that are integrals of the motion. If
  /// `with_conserved`, it also restores the quantities of `conserve` to their values at this state. The effect ends
  /// with `Mode::levels.reset()`. Allocates.
  /// \pre `set_scale`
  void keep_levels(Mode& mode, double t, const Vector& y, bool with_conserved = true);

  /// Matters only if constraints are nonlinear in the accelerations and so have several solutions (branches): the next
  /// search for accelerations begins at the accelerations of the sample. Otherwise does nothing.
  void set_accelerations(Mode& mode, const Sample& sample) const;
  /// Sets how `derivative` and `project` compute; the motion is the same (theory.md §7). Only the explicit formulation
  /// has generated code. Allocates.
  void set_formulation(equations::Formulation formulation);
  [[nodiscard]] equations::Formulation formulation() const;

  /// Fills `sample` with all reported quantities of the state. Generated code may compute the sample if all rows are
  /// independent and ideal, or if there are no rows (Reports); otherwise the pivoted solver does. Allocates while the
  /// vectors of `sample` grow.
  /// \returns the failures of `derivative`; kNonFinite if an output, or an expectation of kind `always`, is not finite.
  [[nodiscard]] Outcome<void> report(const Mode& mode, double t, const double* y, Sample& sample);
  [[nodiscard]] Outcome<void> report(double t, const double* y, Sample& sample) { return report(mode_, t, y, sample); }

  /// Evaluates the vectors and matrices of the equations of motion (M, f, A, b, …) at a state.
  /// \returns kNonFinite with the expression that is not finite.
  [[nodiscard]] Outcome<void> matrices(const Mode& mode, double t, const double* y, Matrices& matrices);
  /// \param scale [nq + nu + nz]  typical size > 0 of each component of y.
  /// \param tolerance  tolerance of the run; corrections are measured in units of tolerance × scale.
  void set_scale(const Vector& scale, double tolerance);
  /// Sets the typical length of each constraint row from its lengths at y and at states around y, which need not
  /// satisfy the constraints. A row that is later found to be tiny compared with its typical length is ignored, because
  /// it consists of rounding errors.
  /// \pre `set_scale`
  void learn_row_sizes(Mode& mode, double t, const Vector& y);
  [[nodiscard]] const Vector& scale() const;
  /// Returns all typical sizes set by `set_scale` and `learn_row_sizes`. To continue a run in another Dynamics of the
  /// same model with the same bits, copy them to that object.
  [[nodiscard]] Sizes& sizes();

  [[nodiscard]] const Binding& binding() const { return *bound_; }
  [[nodiscard]] std::shared_ptr<const Binding> shared_binding() const { return bound_; }
  /// Returns the binding whose kernels evaluate every switching expression in the region of this mode (`Mode::sides`).
  [[nodiscard]] std::shared_ptr<const Binding> binding_of(const Mode& mode);

 private:
  friend class FrictionOf;
  friend class EquationsOf;
  struct Impl;
  /// Makes the implementation evaluate in this mode (`in`) or in a copy of this mode (`in_copy`), and returns it.
  [[nodiscard]] Impl& in(Mode& mode);
  [[nodiscard]] Impl& in_copy(const Mode& mode);
  [[nodiscard]] Outcome<void> report_along(Mode& mode, double t, const double* y, Sample& sample);
  /// Returns the sliding mode (Filippov) on the switching surfaces `Mode::along`.
  [[nodiscard]] SurfaceMotion& along(const Mode& mode);

  std::shared_ptr<const Binding> bound_;
  Mode mode_, copy_;
  std::unique_ptr<Impl> impl_;
  std::unique_ptr<SurfaceMotion> along_;
};

}  // namespace vinculum::sim
