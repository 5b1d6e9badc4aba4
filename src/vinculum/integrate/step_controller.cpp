#include "vinculum/integrate/step_controller.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum::integrate {
namespace {

constexpr double kSafety = 0.9;
constexpr double kSmallestFactor = 0.33;
constexpr double kLargestFactor = 6.0;
constexpr double kFactorWhenNotEvaluated = 0.25;
// Lower limit of the previous error in the control formula. An error that is small by chance must not make the next
// step cautious (dopri5.f: FACOLD).
constexpr double kSmallestErrorOld = 1e-4;

}  // namespace

StepController::StepController(const RungeKutta& method)
    : alpha_(method.alpha),
      beta_(method.beta),
      exponent_(1.0 / method.error_exponent),
      log_error_old_(std::log(kSmallestErrorOld)) {}

double StepController::after_accepted(double error) {
  const double log_error = std::log(error);
  double factor = kSafety * std::exp(beta_ * log_error_old_ - alpha_ * log_error);
  factor = std::clamp(factor, kSmallestFactor, rejected_ ? 1.0 : kLargestFactor);
  log_error_old_ = std::max(log_error, std::log(kSmallestErrorOld));
  rejected_ = false;
  return factor;
}

double StepController::after_rejected(double error) {
  rejected_ = true;
  if (!std::isfinite(error)) return kFactorWhenNotEvaluated;
  return std::clamp(kSafety * std::pow(error, -exponent_), kSmallestFactor, kSafety);
}

}  // namespace vinculum::integrate
