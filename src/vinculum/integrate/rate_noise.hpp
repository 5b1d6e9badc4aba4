#pragma once

#include <algorithm>
#include <functional>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/integrate/error_norm.hpp"

namespace vinculum::integrate {

/// By how much y' changes where the state is wrong by what it may be: no step is better than that (ErrorNorm).
class RateNoise {
 public:
  /// y' at a state [padded]; false where there is none, or it is not finite.
  using Rate = std::function<bool(double t, const double* y, double* y_dot)>;

  /// \param error_exponent  the error of a step behaves as h to this.
  RateNoise(const Problem& problem, double tolerance, int padded, int error_exponent, Rate rate);

  /// Measured anew where that is due: noise changes slowly, an evaluation is part of a step.
  void count_attempt(const ErrorNorm& norm, double t, const double* y, const double* y_dot) {
    if (attempts_++ < interval_) return;
    interval_ = std::min(2 * interval_, kAttempts);
    measure(norm, t, y, y_dot);
  }
  /// \param y, y_dot  [padded] at t.   \cost three evaluations
  void measure(const ErrorNorm& norm, double t, const double* y, const double* y_dot);
  /// From a step of size h that was too long.   \param error  [padded] of it, magnitudes.
  void learn(const Vector& error, double h);
  /// A step was taken: what fails next fails from another state.
  void forget_failed() { h_failed_ = 0.0; }
  [[nodiscard]] const Rate& rate() const { return rate_; }
  [[nodiscard]] const Vector& values() const { return noise_; }  ///< [padded] of y'
  /// [padded] of y' within a step of size h: with what noise has done to the state by then, as far as that is rounding
  /// beside the whole. A coordinate that stays 0 has the noise of its speed's rate, and no other.
  [[nodiscard]] const Vector& values(const ErrorNorm& norm, double h);

 private:
  static constexpr int kAttempts = 16;

  void measure_carried(const ErrorNorm& norm, double t, const double* y, const double* y_dot);

  const Problem& problem_;
  double tolerance_;
  int error_exponent_;
  Rate rate_;
  Vector noise_, learned_;  // [padded] what errors of the state that are allowed do to its rate; seen in steps
  Vector carried_;          // [padded] what noise of the rate does to the rate, in a unit of time
  Vector failed_;           // [padded] errors of the last step from here that was too long,
  double h_failed_ = 0.0;   // and its size; 0: there is none
  int attempts_ = 1;        // since it was measured
  int interval_ = 1;        // attempts between measurements: many a component gets its size in the first steps
  Vector moved_, y_dot_, change_, within_;
};

}  // namespace vinculum::integrate
