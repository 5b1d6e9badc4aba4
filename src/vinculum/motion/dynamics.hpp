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
/// memory, so use one object per thread. `derivative` and `project` allocate nothing after their first calls. Generated
/// code answers if its guards accept the result; otherwise the pivoted solver does (ConstrainedSolve).
///
/// Every result is a function of the mode, t and y. Functions without a mode argument use the stored mode, `mode()`;
/// `derivative(t, ...)` and `project(t, ...)` change it, the others do not. Overloads with a const mode leave that mode
/// as it is and return the same bits as the motion would.
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

  /// Brings a state onto its constraints, to machine precision. Quaternions get unit norm, q is moved onto the rows of
  /// position level, then u onto all rows that have a ψ, by the least change in the metric of M. Extra states z do not
  /// change, except if a constraint contains them (StateConditions) or is of higher order (HiddenEquations). The
  /// minimal formulation keeps its independent speeds and solves ψ = 0 for the others. In a mode with levels
  /// (`keep_levels`) it also restores invariants.
  /// \returns the largest correction, in units of tolerance × typical size (`set_scale`); kInconsistent if the
  /// constraints cannot be met, kNotConserved if the invariants cannot.
  [[nodiscard]] Outcome<double> project(Mode& mode, double t, double* y);
  [[nodiscard]] Outcome<double> project(const Mode& mode, double t, double* y);
  [[nodiscard]] Outcome<double> project(double t, double* y) { return project(mode_, t, y); }

  /// The stored mode.
  [[nodiscard]] const Mode& mode() const { return mode_; }
  /// Replaces the stored mode.
  /// \pre the mode comes from a Dynamics of the same binding and formulation.
  void set_mode(Mode mode) { mode_ = std::move(mode); }

  /// From here on `project` in this mode keeps rows that are integrals of the motion at 0 and, if `with_conserved`, the
  /// quantities of `conserve` at their values at this state. `Mode::levels.reset()` ends this. Allocates.
  /// \pre `set_scale`
  void keep_levels(Mode& mode, double t, const Vector& y, bool with_conserved = true);

  /// If constraints are nonlinear in the accelerations: the branch of accelerations continues from the accelerations of
  /// the sample. Otherwise does nothing.
  void set_accelerations(Mode& mode, const Sample& sample) const;
  /// Sets how `derivative` and `project` compute; the motion is the same (theory.md §7). Only the explicit formulation
  /// has generated code. Allocates.
  void set_formulation(equations::Formulation formulation);
  [[nodiscard]] equations::Formulation formulation() const;

  /// Fills `sample` with everything that is reported about the state. The pivoted solver computes it, except if the
  /// rows are independent and ideal, or there are none: then generated code may (Reports). Allocates while the vectors
  /// of `sample` grow.
  /// \returns why there is no complete sample: the failures of `derivative`, or kNonFinite with an output, or with an
  /// expectation of kind `always`, that is not finite.
  [[nodiscard]] Outcome<void> report(const Mode& mode, double t, const double* y, Sample& sample);
  [[nodiscard]] Outcome<void> report(double t, const double* y, Sample& sample) { return report(mode_, t, y, sample); }

  /// The pieces of the equations of motion at a state.
  /// \returns kNonFinite with the expression that is not finite.
  [[nodiscard]] Outcome<void> matrices(const Mode& mode, double t, const double* y, Matrices& matrices);
  /// \param scale [nq + nu + nz]  typical size > 0 of each component of y.
  /// \param tolerance  of the run; corrections are measured in units of tolerance × scale.
  void set_scale(const Vector& scale, double tolerance);
  /// Learns the typical size of each row from y and from states around it, which need not satisfy the constraints. A
  /// row that is tiny compared with its typical size consists of rounding errors and is then ignored.
  /// \pre `set_scale`
  void learn_row_sizes(Mode& mode, double t, const Vector& y);
  [[nodiscard]] const Vector& scale() const;
  /// All typical sizes that `set_scale` and `learn_row_sizes` have set, to continue a run elsewhere with the same bits.
  /// They may be set to those of a Dynamics of the same model.
  [[nodiscard]] Sizes& sizes();

  [[nodiscard]] const Binding& binding() const { return *bound_; }
  [[nodiscard]] std::shared_ptr<const Binding> shared_binding() const { return bound_; }
  /// The binding whose kernels use the regions of a mode (`Mode::sides`).
  [[nodiscard]] std::shared_ptr<const Binding> binding_of(const Mode& mode);

 private:
  friend class FrictionOf;
  friend class EquationsOf;
  struct Impl;
  /// The implementation, set to evaluate in this mode (`in`) or in a copy of it (`in_copy`).
  [[nodiscard]] Impl& in(Mode& mode);
  [[nodiscard]] Impl& in_copy(const Mode& mode);
  [[nodiscard]] Outcome<void> report_along(Mode& mode, double t, const double* y, Sample& sample);
  /// The sliding mode on the surfaces `Mode::along`.
  [[nodiscard]] SurfaceMotion& along(const Mode& mode);

  std::shared_ptr<const Binding> bound_;
  Mode mode_, copy_;
  std::unique_ptr<Impl> impl_;
  std::unique_ptr<SurfaceMotion> along_;
};

}  // namespace vinculum::sim
