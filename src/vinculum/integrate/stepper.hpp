#pragma once

#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/outcome.hpp"
#include "vinculum/integrate/error_norm.hpp"

namespace vinculum::integrate {

/// What became of a trial step.
enum class Trial {
  kGood,
  kFailed,     ///< `derivative` or `project` failed, see `Stepper::failure`; of an implicit method its iteration too
  kNotFinite,  ///< the new state or its derivative is not finite
};

/// A node of the quadrature that a method makes of rates, and its weight: both over a step of length 1.
struct QuadratureNode {
  double at = 0.0, weight = 0.0;
};

/// t within a step. Callers divide steps into parts, whose sum may round beyond the ends.
[[nodiscard]] double time_within(double t, double t_begin, double t_end);

/// One step after another from (t, y) by one method: workspace, arithmetic, and what the method knows about the size
/// of its next step. Explicit and implicit methods alike are steppers; `integrate` knows no other side of them.
///
/// start → first_step → (attempt → complete → (interpolate) → after_accepted → advance | after_rejected) …
/// A step that is not advanced leaves (t, y) as it was.
class Stepper {
 public:
  virtual ~Stepper() = default;

  /// Takes (t, y) as the start and evaluates the derivative there.
  [[nodiscard]] virtual Outcome<void> start(double t, const Vector& y) = 0;
  /// Size of the first step.   \param longest  bound of the result, > 0.
  [[nodiscard]] virtual double first_step(double longest) = 0;

  /// Stages, new state and error of a step of size h that ends at t_end.
  [[nodiscard]] virtual Trial attempt(double h, double t_end) = 0;
  /// The derivative at the end and the projection. A correction of more than 10 tolerances makes the derivative anew.
  [[nodiscard]] virtual Trial complete() = 0;
  /// Size of the step after the last attempt, of size h, was taken.
  [[nodiscard]] virtual double after_accepted(double h) = 0;
  /// Size of the next trial after it was not.   \param excess  ratio of error and tolerance, > 1; not finite where the
  /// step could not be evaluated.
  [[nodiscard]] virtual double after_rejected(double h, double excess) = 0;
  /// y at t in [t_begin, t_end] of the completed step.
  [[nodiscard]] virtual Outcome<void> interpolate(double t, Vector& y) = 0;
  /// Ranges of y' over the stages of the completed step.   \returns false where the method keeps none.
  [[nodiscard]] virtual bool rates(Vector& /*least*/, Vector& /*most*/) const { return false; }
  /// Parts of the way through a step, from 0 to 1, at which what the rate is weighs in the result or in its
  /// error.
  [[nodiscard]] virtual std::vector<double> weighed() const { return {0.0, 1.0}; }
  /// What the step's end is where rates are functions of the time alone; empty where the method tells none.
  [[nodiscard]] virtual std::vector<QuadratureNode> quadrature() const { return {}; }
  /// The same by a step of its own (integrator.hpp).
  [[nodiscard]] virtual Outcome<void> step_to(double t, Vector& y) { return interpolate(t, y); }
  /// h times the rate at which two stages at the end of the completed step come closer or part, beside that from which
  /// stability decides the method's steps (RungeKutta::stability); 0 where there are none.
  [[nodiscard]] virtual double stiffness() const { return 0.0; }
  /// Moves on to the end of the completed step.
  virtual void advance() = 0;

  /// The largest error of the last attempt.
  [[nodiscard]] virtual WorstComponent worst() const = 0;
  /// Why the last trial was not good.
  [[nodiscard]] virtual Failure failure(Trial trial) const = 0;
  /// `step_to` by a step back from the end.
  [[nodiscard]] virtual Outcome<void> step_back_to(double t, Vector& y) { return interpolate(t, y); }

  /// Ratio of the last attempt's error to the tolerance.
  [[nodiscard]] double error() const { return error_; }
  /// What the projection has moved most in the last completed step, in tolerances; 0 where nothing is projected.
  [[nodiscard]] WorstComponent correction() const { return correction_; }
  [[nodiscard]] double t_begin() const { return t_; }
  [[nodiscard]] double t_end() const { return t_end_; }
  [[nodiscard]] const Vector& y_begin() const { return y_begin_; }
  [[nodiscard]] const Vector& y_end() const { return y_end_; }
  [[nodiscard]] long evaluations() const { return evaluations_; }

 protected:
  double t_ = 0.0, t_end_ = 0.0;
  Vector y_begin_, y_end_;  // [size] y_end_: of the completed step, projected
  double error_ = 0.0;
  WorstComponent correction_;
  long evaluations_ = 0;
};

}  // namespace vinculum::integrate
