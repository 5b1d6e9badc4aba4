#pragma once

#include <algorithm>
#include <functional>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/integrate/error_norm.hpp"

namespace vinculum::integrate {

/// Estimates the uncertainty of y': the change of y' if the state changes by its permitted errors. Over a step of size
/// h no method can be more accurate than h times this uncertainty (see ErrorNorm).
class RateNoise {
 public:
  /// Evaluates y' at a state; both are [padded]. Returns false if y' cannot be evaluated or is not finite.
  using Rate = std::function<bool(double t, const double* y, double* y_dot)>;

  /// \param error_exponent  the error of a step is proportional to h to this power.
  RateNoise(const Problem& problem, double tolerance, int padded, int error_exponent, Rate rate);

  /// Called once per trial step. Measures the uncertainty again after 2, 4, 8 and then every 16 trials, because it
  /// changes slowly and its measurement costs three evaluations.
  void count_attempt(const ErrorNorm& norm, double t, const double* y, const double* y_dot) {
    if (attempts_++ < interval_) return;
    interval_ = std::min(2 * interval_, kAttempts);
    measure(norm, t, y, y_dot);
  }
  /// Measures the uncertainty.   \param y, y_dot  [padded] at t.   \cost three evaluations
  void measure(const ErrorNorm& norm, double t, const double* y, const double* y_dot);
  /// Updates the uncertainty from a rejected step of size h from (t, y).
  /// \param error  [padded] magnitudes of the step's errors.
  void learn(const ErrorNorm& norm, double t, const double* y, const Vector& error, double h);
  /// Called after an accepted step: the next rejected step then starts from another state and is not compared with
  /// earlier ones.
  void forget_failed() { h_failed_ = 0.0; }
  [[nodiscard]] const Rate& rate() const { return rate_; }
  [[nodiscard]] const Vector& values() const { return noise_; }  ///< [padded] uncertainty of y'
  /// [padded] Uncertainty of y' within a step of size h. It includes the change of y' because of the uncertainty of the
  /// state that has accumulated since the start of the step. That uncertainty of the state counts only up to a rounding
  /// error of the largest quantities solved together. For example, the rate of a coordinate that stays 0 is uncertain
  /// only because the rate of its speed is uncertain.
  [[nodiscard]] const Vector& values(const ErrorNorm& norm, double h);

 private:
  static constexpr int kAttempts = 16;

  void ask_for_rounding(const ErrorNorm& norm, double t, const double* y, const Vector& error);
  void measure_carried(const ErrorNorm& norm, double t, const double* y, const double* y_dot);

  const Problem& problem_;
  double tolerance_;
  int error_exponent_;
  Rate rate_;
  // [padded] noise_: change of the rate by permitted errors of the state. learned_: the uncertainty found from rejected
  // steps.
  Vector noise_, learned_;
  Vector carried_;  // [padded] change of the rate by the accumulated uncertainty of the state, per unit of time
  // [padded] Errors of the last rejected step that started from the current state.
  Vector failed_;
  double h_failed_ = 0.0;  // size of the last rejected step; 0: there is none
  int attempts_ = 1;       // trials since the last measurement
  // Number of trials between two measurements. It is small at first, because many components grow from 0 in the first
  // steps.
  int interval_ = 1;
  // Number of rejected steps before `Problem::rounding` may be called again (wait_), and that number after the next
  // call (next_wait_).
  int wait_ = 0, next_wait_ = 1;
  Vector moved_, y_dot_, change_, within_;
};

}  // namespace vinculum::integrate
