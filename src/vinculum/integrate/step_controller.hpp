#pragma once

#include "vinculum/integrate/method.hpp"

namespace vinculum::integrate {

/// PI control of the step size. Computes the factor from the size of this step to the size of the next.
///
///   accepted:  0.9 err^−alpha err_old^beta in [0.33, 6], and ≤ 1 right after a rejection
///   rejected:  0.9 err^(−1/error_exponent) in [0.33, 0.9]
///
/// Source: Gustafsson 1991; Hairer, Nørsett & Wanner I, II.4, and II, IV.2.
class StepController {
 public:
  explicit StepController(const RungeKutta& method);

  /// \param error  ratio of error to tolerance, ≤ 1.
  [[nodiscard]] double after_accepted(double error);
  /// \param error  ratio of error to tolerance, > 1; not finite if the step could not be evaluated.
  [[nodiscard]] double after_rejected(double error);

 private:
  double alpha_, beta_, exponent_;
  double log_error_old_;
  bool rejected_ = false;
};

}  // namespace vinculum::integrate
