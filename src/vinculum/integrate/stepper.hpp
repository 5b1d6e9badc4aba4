#pragma once

#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/outcome.hpp"
#include "vinculum/integrate/error_norm.hpp"

namespace vinculum::integrate {

/// Result of a trial step.
enum class Trial {
  kGood,
  kFailed,     ///< `derivative` or `project` failed, see `Stepper::failure`; for implicit methods also: no convergence
  kNotFinite,  ///< the new state or its derivative is not finite
};

/// A node of a method's quadrature formula and its weight, both for a step of length 1.
struct QuadratureNode {
  double at = 0.0, weight = 0.0;
};

/// Clamps t to the step [t_begin, t_end]. Callers divide a step into parts; because of rounding, the sum of the parts
/// may lie outside the step.
[[nodiscard]] double time_within(double t, double t_begin, double t_end);

/// Applies an integration method step by step from (t, y). Owns the scratch memory and chooses the next step size.
/// Explicit and implicit methods are both steppers, and `integrate` uses only this interface.
///
/// Calls: start → first_step → (attempt → complete → (interpolate) → after_accepted → advance | after_rejected) …
/// A step without `advance` leaves (t, y) unchanged.
class Stepper {
 public:
  virtual ~Stepper() = default;

  /// Sets (t, y) as the start and evaluates the derivative there.
  [[nodiscard]] virtual Outcome<void> start(double t, const Vector& y) = 0;
  /// Computes the size of the first step.   \param longest  upper bound of the result, > 0.
  [[nodiscard]] virtual double first_step(double longest) = 0;

  /// Computes stages, new state and error of a step of size h that ends at t_end.
  [[nodiscard]] virtual Trial attempt(double h, double t_end) = 0;
  /// Evaluates the derivative at the end of the step and projects the state. If the correction by the projection
  /// exceeds 10 tolerances, the derivative is evaluated again at the projected state.
  [[nodiscard]] virtual Trial complete() = 0;
  /// Size of the next step if the last attempt, of size h, was accepted.
  [[nodiscard]] virtual double after_accepted(double h) = 0;
  /// Size of the next step if the last attempt, of size h, was rejected.   \param excess  ratio of error to tolerance,
  /// > 1; not finite if the step could not be evaluated.
  [[nodiscard]] virtual double after_rejected(double h, double excess) = 0;
  /// Computes y at t in [t_begin, t_end] of the completed step.
  [[nodiscard]] virtual Outcome<void> interpolate(double t, Vector& y) = 0;
  /// Least and greatest y' of each component over the stages of the completed step.   \returns false if the method does
  /// not provide them.
  [[nodiscard]] virtual bool rates(Vector& /*least*/, Vector& /*most*/) const { return false; }
  /// Fractions of a step, from 0 to 1, at whose instants the rate has a nonzero weight in the result or in its error
  /// estimate.
  [[nodiscard]] virtual std::vector<double> weighed() const { return {0.0, 1.0}; }
  /// Quadrature formula for rates that depend on time only; empty if the method does not provide it.
  [[nodiscard]] virtual std::vector<QuadratureNode> quadrature() const { return {}; }
  /// Computes y at t as the end of a separate step from t_begin (Step::step_to). Methods without such steps use the
  /// dense output at t.
  [[nodiscard]] virtual Outcome<void> step_to(double t, Vector& y) { return interpolate(t, y); }
  /// Stiffness indicator h·ρ/s of the completed step. ρ estimates the spectral radius of ∂F/∂y from the last two
  /// stages; s is RungeKutta::stability. A value ≥ 1 means that stability limits the step size; 0 if there is no
  /// estimate.
  [[nodiscard]] virtual double stiffness() const { return 0.0; }
  /// Moves to the end of the completed step.
  virtual void advance() = 0;

  /// Component with the largest ratio of error to tolerance in the last attempt.
  [[nodiscard]] virtual WorstComponent worst() const = 0;
  /// Reason why the last attempt was not kGood.
  [[nodiscard]] virtual Failure failure(Trial trial) const = 0;
  /// Computes y at t as the end of a separate step from t_end backwards.
  [[nodiscard]] virtual Outcome<void> step_back_to(double t, Vector& y) { return interpolate(t, y); }

  /// Ratio of the last attempt's error to the tolerance.
  [[nodiscard]] double error() const { return error_; }
  /// Component with the largest correction by the projection in the last completed step, and that correction in
  /// tolerances; 0 without projection.
  [[nodiscard]] WorstComponent correction() const { return correction_; }
  [[nodiscard]] double t_begin() const { return t_; }
  [[nodiscard]] double t_end() const { return t_end_; }
  [[nodiscard]] const Vector& y_begin() const { return y_begin_; }
  [[nodiscard]] const Vector& y_end() const { return y_end_; }
  [[nodiscard]] long evaluations() const { return evaluations_; }

 protected:
  double t_ = 0.0, t_end_ = 0.0;
  Vector y_begin_, y_end_;  // [size] states at the start and at the end of the completed step, projected
  double error_ = 0.0;
  WorstComponent correction_;
  long evaluations_ = 0;
};

}  // namespace vinculum::integrate
