#include "vinculum/integrate/rate_noise.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::integrate {

RateNoise::RateNoise(const Problem& problem, double tolerance, int padded, int error_exponent, Rate rate)
    : problem_(problem),
      tolerance_(tolerance),
      error_exponent_(error_exponent),
      rate_(std::move(rate)),
      noise_(Vector::Zero(padded)),
      learned_(Vector::Zero(padded)),
      carried_(Vector::Zero(padded)),
      failed_(Vector::Zero(padded)),
      moved_(Vector::Zero(padded)),
      y_dot_(Vector::Zero(padded)),
      change_(Vector::Zero(padded)),
      within_(Vector::Zero(padded)) {}

/// Evaluates the rate twice more, at the state perturbed in two opposite directions by the permitted errors of its
/// components: their tolerances and units in the last place. No step can be more accurate than the resulting changes of
/// the rate. If the two changes of a component differ by more than a factor of 100, the rate is assumed to jump at one
/// of the two states (because of `if` or `sign`), and the smaller change is used.
/// All components are perturbed by different amounts. Otherwise a quantity that depends only on their difference, such
/// as the rod between two cranks that turn alike, would show no change. The effects of the perturbations may cancel by
/// chance, so earlier values fade slowly.
void RateNoise::measure(const ErrorNorm& norm, double t, const double* y, const double* y_dot) {
  constexpr double kOneSide = 100.0, kFading = 0.5, kLastPlaces = 4.0 * tolerance::kEqual;
  // The fractional parts of multiples of kGolden differ from each other.
  constexpr double kUnlike = 0.25, kGolden = 0.6180339887498949;
  attempts_ = 0;
  for (int side = 0; side < 2; ++side) {
    for (int i = 0; i < problem_.size; ++i) {
      const bool is_up = ((i ^ (i >> 1)) % 2 == 0) == (side == 0);
      const double part = i * kGolden, share = 1.0 - kUnlike * (part - std::floor(part));
      const double by = share * (tolerance_ * norm.size(i) + kLastPlaces * std::abs(y[i]));
      moved_[i] = is_up ? y[i] + by : y[i] - by;
    }
    const double at = t * (side == 0 ? 1.0 + tolerance::kEqual : 1.0 - tolerance::kEqual);
    const bool is_known = rate_(at, moved_.data(), y_dot_.data());
    for (int i = 0; i < problem_.size; ++i) {
      const double now = is_known ? std::abs(y_dot_[i] - y_dot[i]) : 0.0;
      const double less = std::min(now, change_[i]), more = std::max(now, change_[i]);
      change_[i] = side == 0 ? now : more > kOneSide * less ? less : more;
    }
  }
  noise_ = (kFading * noise_).cwiseMax(change_).cwiseMax(learned_);
  measure_carried(norm, t, y, y_dot);
}

/// Evaluates the rate at the state to which the uncertainty of the rate would lead. This perturbation of the state is
/// scaled so that it reaches the tolerance of the largest quantities solved together.
void RateNoise::measure_carried(const ErrorNorm& norm, double t, const double* y, const double* y_dot) {
  carried_.setZero();
  double rate = 0.0;  // reciprocal of the time in which the uncertainty accumulates to the tolerance
  for (int i = 0; i < problem_.size; ++i) {
    const double allowed = tolerance_ * norm.whole(i);
    if (allowed > 0.0) rate = std::max(rate, change_[i] / allowed);
  }
  if (!(rate > 0.0) || !std::isfinite(rate)) return;
  for (int i = 0; i < problem_.size; ++i) moved_[i] = y[i] + change_[i] / rate;
  if (!rate_(t, moved_.data(), y_dot_.data())) return;
  for (int i = 0; i < problem_.size; ++i) carried_[i] = rate * std::abs(y_dot_[i] - y_dot[i]);
}

const Vector& RateNoise::values(const ErrorNorm& norm, double h) {
  within_ = noise_;
  for (int i = 0; i < problem_.size; ++i)
    within_[i] += std::min(h * carried_[i], tolerance::kRounded * norm.whole(i) / h);
  return within_;
}

/// If forces cancel, their rounding errors are all that remains of the rate. Perturbed states do not show these errors:
/// the perturbations, relative to a state near 0, are smaller than the last digit of a force. Errors of the components
/// that cause the rejection are rounding errors only if they are small relative to all quantities solved together.
void RateNoise::ask_for_rounding(const ErrorNorm& norm, double t, const double* y, const Vector& error) {
  constexpr int kLongestWait = 1024;
  // The error estimate of a step is h times a weighted sum of rounding errors at its stages.
  constexpr double kOfStages = 4.0;
  if (!problem_.rounding || problem_.beside.size() == 0 || wait_-- > 0) return;
  wait_ = 0;
  const auto may_be_rounding = [&](int i) {
    return error[i] * norm.per_tolerance(i) > 1.0 && error[i] <= tolerance::kRounded * problem_.beside[i];
  };
  int i = 0;
  while (i < problem_.size && !may_be_rounding(i)) ++i;
  if (i == problem_.size) return;
  Vector errors = Vector::Zero(problem_.size);
  problem_.rounding(t, y, errors);
  for (int k = 0; k < problem_.size; ++k)
    if (error[k] <= tolerance::kRounded * problem_.beside[k])
      learned_[k] = std::max(learned_[k], kOfStages * errors[k]);
  wait_ = next_wait_;
  next_wait_ = std::min(2 * next_wait_, kLongestWait);
}

/// Adds errors of a rejected step to the uncertainty of the rate. Two conditions must be satisfied: the error hardly
/// decreases in a shorter step from the same state, and it is a rounding error relative to `Problem::beside`.
/// Components that start at exactly 0 do not show this uncertainty in `measure`.
void RateNoise::learn(const ErrorNorm& norm, double t, const double* y, const Vector& error, double h) {
  constexpr double kAmple = 16.0;
  ask_for_rounding(norm, t, y, error);
  if (h_failed_ > 0.0 && problem_.beside.size() > 0) {
    const double least_fall = std::pow(h / h_failed_, 0.5 * error_exponent_);
    for (int i = 0; i < problem_.size; ++i) {
      if (error[i] > tolerance::kRounded * problem_.beside[i] || !(error[i] > failed_[i] * least_fall)) continue;
      learned_[i] = std::max(learned_[i], kAmple * error[i] / h);
    }
  }
  failed_ = error;
  h_failed_ = h;
  noise_ = noise_.cwiseMax(learned_);
}

}  // namespace vinculum::integrate
