#include "vinculum/integrate/error_norm.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/contract.hpp"

namespace vinculum::integrate {

ErrorNorm::ErrorNorm(const Problem& problem, double tolerance, int padded)
    : size_(problem.size),
      tolerance_(tolerance),
      group_(problem.group),
      scale_(problem.group_scale),
      is_stated_(problem.is_scale_stated),
      group_inverse_(problem.group_scale.size(), 0.0),
      inverse_(Vector::Zero(padded)) {
  is_stated_.resize(scale_.size(), 0);
  VINCULUM_EXPECTS(tolerance > 0.0);
  VINCULUM_EXPECTS(padded >= size_);
  VINCULUM_EXPECTS(static_cast<int>(group_.size()) == size_);
  for (const int g : group_) VINCULUM_EXPECTS(g >= 0 && g < static_cast<int>(scale_.size()));
  for (const double s : scale_) VINCULUM_EXPECTS(s > 0.0 && std::isfinite(s));
}

void ErrorNorm::set_scale(const double* y, const double* y_new) {
  std::fill(group_inverse_.begin(), group_inverse_.end(), 0.0);
  for (int i = 0; i < size_; ++i) {
    double& largest = group_inverse_[static_cast<std::size_t>(group_[static_cast<std::size_t>(i)])];
    const double a = std::abs(y[i]);
    const double b = std::abs(y_new[i]);
    if (a > largest && std::isfinite(a)) largest = a;
    if (b > largest && std::isfinite(b)) largest = b;
  }
  for (std::size_t g = 0; g < scale_.size(); ++g)
    group_inverse_[g] = 1.0 / (tolerance_ * (scale_[g] + (is_stated_[g] != 0 ? 0.0 : group_inverse_[g])));
  for (int i = 0; i < size_; ++i) {
    inverse_[i] = group_inverse_[static_cast<std::size_t>(group_[static_cast<std::size_t>(i)])];
  }
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

}  // namespace vinculum::integrate
