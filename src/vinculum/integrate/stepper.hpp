#pragma once

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/integrate/error_norm.hpp"
#include "vinculum/integrate/method.hpp"
#include "vinculum/integrate/problem.hpp"

namespace vinculum::integrate {

/// What became of a trial step.
enum class Trial {
  kGood,
  kFailed,     ///< `derivative` or `project` failed, see `Stepper::failure`
  kNotFinite,  ///< the new state or its derivative is not finite
};

/// One step of an explicit Runge–Kutta method from (t, y): workspace and arithmetic, no control.
///
/// attempt → error → complete → (interpolate) → advance. A step that is not advanced leaves (t, y) as it was.
/// Allocates in the constructor only, and where a derivative fails.
class Stepper {
 public:
  Stepper(const Problem& problem, const Method& method, double tolerance);

  /// Takes (t, y) as the start and evaluates the derivative there.
  [[nodiscard]] Outcome<void> start(double t, const Vector& y);
  /// Size of the first step, from the rates of y and y_dot; one evaluation.
  /// \param longest  bound of the result, > 0.
  /// Source: Hairer, Nørsett & Wanner I, II.4, "starting step size", made independent of the unit of time: rates of
  /// relative change stand in for the derivatives' norms.
  [[nodiscard]] double first_step(double longest);

  /// Stages, new state and error of a step of size h that ends at t_end.
  [[nodiscard]] Trial attempt(double h, double t_end);
  /// Ratio of the last attempt's error to the tolerance.
  [[nodiscard]] double error() const { return error_; }
  [[nodiscard]] WorstComponent worst() const;
  /// The derivative at the end and the projection. A correction of more than 10 tolerances makes the derivative anew.
  [[nodiscard]] Trial complete();
  /// What the projection has moved most in the last completed step, in tolerances; 0 where nothing is projected.
  [[nodiscard]] WorstComponent correction() const { return correction_; }
  /// y at t in [t_begin, t_end] of the completed step.
  [[nodiscard]] Outcome<void> interpolate(double t, Vector& y);
  /// Moves on to the end of the completed step.
  void advance();

  [[nodiscard]] double t_begin() const { return t_; }
  [[nodiscard]] double t_end() const { return t_end_; }
  [[nodiscard]] const Vector& y_begin() const { return y_begin_; }
  [[nodiscard]] const Vector& y_end() const { return y_end_; }
  [[nodiscard]] long evaluations() const { return evaluations_; }
  /// Why the last trial was not good.
  [[nodiscard]] Failure failure(Trial trial) const;

 private:
  [[nodiscard]] bool evaluate(double t, const double* y, double* y_dot);
  [[nodiscard]] bool is_finite(const double* v) const;
  [[nodiscard]] Outcome<void> prepare_dense_output();
  [[nodiscard]] double* stage(int i) { return k_.data() + static_cast<std::ptrdiff_t>(i) * padded_; }

  const Problem& problem_;
  const Method& method_;
  int size_;
  std::ptrdiff_t padded_;  // vectors are filled up with zeros to a multiple of 4, so that loops have no remainder
  double tolerance_;
  bool compensated_;
  ErrorNorm norm_;

  double t_ = 0.0;
  double t_end_ = 0.0;
  double h_ = 0.0;
  Vector y_, y_new_, y_stage_;  // [padded]
  Vector carry_, carry_new_;    // [padded] what y has lost to rounding
  Matrix k_;                    // [padded × rows] stages
  Matrix errors_;               // [padded × error_rows]
  double error_ = 0.0;
  WorstComponent correction_;
  Matrix dense_;  // [padded × 3+dense_rows]
  bool dense_ready_ = false;
  Vector y_begin_, y_end_;  // [size] as others see them

  long evaluations_ = 0;
  Failure failure_;
};

}  // namespace vinculum::integrate
