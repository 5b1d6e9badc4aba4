#include "vinculum/integrate/error_norm.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::integrate {
namespace {

constexpr double kOfItself = 1.0;  // a trial step shows the magnitude of a component only if its error is at most this
                                   // multiple of the value that it reaches
// The error counts as not decreasing with the step size if the relative error of a shorter trial step is at least this
// fraction of the relative error of the previous, longer one.
constexpr double kSameShare = 0.5;
// The tolerance of a component is relative to its size. That size counts as at least this fraction (2e-22) of
// `Problem::beside`, the magnitude of the quantities that are solved together with the component. So a component that
// is still smaller gets a coarser relative tolerance, because it is negligible. The fraction is small enough: in a
// model as large as an astronomical unit, even a displacement of a micrometer (a ratio of 7e-18) keeps its own relative
// tolerance.
constexpr double kNothing = tolerance::kRounding * tolerance::kBeside;

Vector or_zeros(const Vector& v, int size) {
  VINCULUM_EXPECTS(v.size() == 0 || v.size() == size);
  VINCULUM_EXPECTS(v.size() == 0 || (v.allFinite() && v.minCoeff() >= 0.0));
  return v.size() == 0 ? Vector(Vector::Zero(size)) : v;
}

double finite_or_zero(double x) { return std::isfinite(x) ? std::abs(x) : 0.0; }

}  // namespace

ErrorNorm::ErrorNorm(const Problem& problem, double tolerance, int padded, double share_of_kind)
    : size_(problem.size),
      tolerance_(tolerance),
      share_of_kind_(share_of_kind),
      reached_(or_zeros(problem.reached, problem.size)),
      stated_(or_zeros(problem.stated, problem.size)),
      of_integral_(or_zeros(problem.stated_of_integral, problem.size)),
      beside_(or_zeros(problem.beside, problem.size)),
      whole_(beside_),
      kind_(problem.kind),
      largest_(Vector::Zero(kind_.empty() ? 0 : 1 + *std::ranges::max_element(kind_))),
      largest_now_(largest_),
      least_(Vector::Zero(problem.size)),
      tried_(Vector::Zero(problem.size)),
      size_before_(Vector::Zero(problem.size)),
      share_before_(Vector::Zero(problem.size)),
      inverse_(Vector::Zero(padded)) {
  VINCULUM_EXPECTS(tolerance > 0.0);
  VINCULUM_EXPECTS(padded >= size_);
  VINCULUM_EXPECTS(kind_.empty() || kind_.size() == static_cast<std::size_t>(size_));
  find_whole();
}

void ErrorNorm::find_whole() {
  largest_.setZero();
  for (std::size_t i = 0; i < kind_.size(); ++i) {
    double& largest = largest_[kind_[i]];
    largest = std::max(largest, reached_[static_cast<Eigen::Index>(i)]);
  }
  for (std::size_t i = 0; i < kind_.size(); ++i) {
    double& whole = whole_[static_cast<Eigen::Index>(i)];
    whole = std::max(whole, largest_[kind_[i]]);
  }
}

void ErrorNorm::find_least(const double* y, const double* y_new) {
  if (share_of_kind_ == 0.0) return;
  largest_now_ = largest_;
  for (std::size_t i = 0; i < kind_.size(); ++i) {
    double& largest = largest_now_[kind_[i]];
    largest = std::max({largest, finite_or_zero(y[i]), finite_or_zero(y_new[i])});
  }
  for (std::size_t i = 0; i < kind_.size(); ++i)
    least_[static_cast<Eigen::Index>(i)] = share_of_kind_ * largest_now_[kind_[i]];
}

void ErrorNorm::set_scale(const double* y, const double* y_new, const double* noise, double h) {
  find_least(y, y_new);
  for (int i = 0; i < size_; ++i) {
    const double now = std::max(finite_or_zero(y[i]), finite_or_zero(y_new[i]));
    double size = stated_[i] > 0.0 ? stated_[i] : std::max(reached_[i], now) + std::max(now, tried_[i]);
    if (!(stated_[i] > 0.0)) size = std::max(size, least_[i]);
    size = std::max(size, kNothing * beside_[i]);
    if (of_integral_[i] > 0.0 && h > 0.0) size = std::min(size, of_integral_[i] / h);
    double unavoidable = noise != nullptr ? h * noise[i] : 0.0;
    if (beside_[i] > 0.0) unavoidable = std::min(unavoidable, tolerance_ * beside_[i]);
    const double allowed = tolerance_ * size + unavoidable;
    inverse_[i] = allowed > 0.0 ? 1.0 / allowed : 0.0;
  }
}

void ErrorNorm::try_for(const double* y, const double* y_new, const double* error) {
  for (int i = 0; i < size_; ++i) {
    if (y[i] != 0.0 || reached_[i] != 0.0) continue;
    const double size = finite_or_zero(y_new[i]), share = size > 0.0 ? error[i] / size : 0.0;
    const bool is_told = share > 0.0 && share <= kOfItself;
    if (is_told && share_before_[i] > 0.0 && share >= kSameShare * share_before_[i])
      tried_[i] = std::max(tried_[i], size_before_[i]);
    size_before_[i] = size;
    share_before_[i] = is_told ? share : 0.0;
  }
}

void ErrorNorm::reach(const double* y) {
  tried_.setZero();
  share_before_.setZero();
  for (int i = 0; i < size_; ++i) reached_[i] = std::max(reached_[i], finite_or_zero(y[i]));
  find_whole();
}

double ErrorNorm::mean_square(const double* v) const {
  if (size_ == 0) return 0.0;
  double sum = 0.0;
  for (int i = 0; i < size_; ++i) {
    const double ratio = v[i] * inverse_[i];
    sum += ratio * ratio;
  }
  return sum / size_;
}

WorstComponent ErrorNorm::worst(const double* v) const {
  WorstComponent worst;
  for (int i = 0; i < size_; ++i) {
    const double ratio = std::abs(v[i]) * inverse_[i];
    if (worst.index < 0 || !(ratio <= worst.ratio)) worst = {i, ratio};
    if (std::isnan(ratio)) break;
  }
  return worst;
}

WorstComponent ErrorNorm::worst_correction(const double* v) const {
  WorstComponent worst;
  for (int i = 0; i < size_; ++i) {
    const double ratio = std::abs(v[i]) * inverse_[i] / (1.0 + tolerance::kZero * whole_[i] * inverse_[i]);
    if (worst.index < 0 || !(ratio <= worst.ratio)) worst = {i, ratio};
    if (std::isnan(ratio)) break;
  }
  return worst;
}

}  // namespace vinculum::integrate
