#include "vinculum/integrate/inner_states.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::integrate {
namespace {

// A subinterval is interpolated if it contains at least this many requested instants per separate step that the
// interpolation takes.
constexpr double kWorth = 3.0;
// After a search without success, the next search starts later by this many times the length of the shortest worthwhile
// subinterval.
constexpr double kInVain = 8.0;
constexpr int kLast = 3;  // A polynomial is accepted if this many of its last coefficients are rounding errors.

}  // namespace

Outcome<void> InnerStates::at(const Step& step, double t, double spacing, Vector& y) {
  if (!is_known(t) && t > tried_) look_for_part(step, t, spacing);
  if (!is_known(t)) return step.step_to(t, y);
  const double x = (2.0 * (t - from_) - (to_ - from_)) / (to_ - from_);
  weights_.resize(kNodes);
  weights_[0] = 1.0;
  weights_[1] = x;
  for (int k = 2; k < kNodes; ++k) weights_[k] = 2.0 * x * weights_[k - 1] - weights_[k - 2];
  y.noalias() = coefficients_ * weights_;
  return {};
}

/// Finds the longest subinterval that starts at t, is accurate, and is at most twice as long as the previous one.
void InnerStates::look_for_part(const Step& step, double t, double spacing) {
  const double rest = step.t_end() - t, worth = kWorth * kNodes * spacing;
  double width = width_ > 0.0 ? std::min(rest, 2.0 * width_) : rest;
  while (width > worth && !read(step, t, t + width)) width *= 0.5;
  if (width > worth) {
    from_ = t;
    to_ = t + width;
    width_ = width;
  } else {
    from_ = kNever;
    tried_ = t + kInVain * worth;
    width_ = worth;
  }
}

/// Interpolates the states between two instants.   \returns true if the polynomial reproduces the states within
/// rounding errors; false also if a state cannot be computed.
bool InnerStates::read(const Step& step, double from, double to) {
  const Eigen::Index size = step.y_begin().size();
  values_.resize(size, kNodes);
  coefficients_.setZero(size, kNodes);
  for (int i = 0; i < kNodes; ++i) {
    const double x = std::cos(std::numbers::pi * (i + 0.5) / kNodes);
    if (!step.step_to(from + 0.5 * (1.0 + x) * (to - from), y_)) return false;
    values_.col(i) = y_;
  }
  for (int k = 0; k < kNodes; ++k) {
    const double weight = (k == 0 ? 1.0 : 2.0) / kNodes;
    for (int i = 0; i < kNodes; ++i)
      coefficients_.col(k) += (weight * std::cos(std::numbers::pi * k * (i + 0.5) / kNodes)) * values_.col(i);
  }
  for (Eigen::Index r = 0; r < size; ++r) {
    const double rounding = tolerance::kRounded * values_.row(r).cwiseAbs().maxCoeff();
    if (!(coefficients_.row(r).tail(kLast).cwiseAbs().maxCoeff() <= rounding)) return false;
  }
  return true;
}

}  // namespace vinculum::integrate
