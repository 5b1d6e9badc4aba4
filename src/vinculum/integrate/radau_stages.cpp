#include "vinculum/integrate/radau_stages.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::integrate {

RadauStages::RadauStages(ImplicitProblem& problem, int differential, double least_change)
    : problem_(problem), differential_(differential), least_change_(least_change), demand_(least_change) {
  const Eigen::Index size = differential + problem.algebraic();
  Z = W_ = F_ = Matrix::Zero(size, 3);
  x_ = real_change_ = Vector::Zero(size);
  pair_ = pair_change_ = Eigen::VectorXcd::Zero(size);
}

bool RadauStages::factor(double h, const Matrix& J) {
  const RadauScheme& scheme = radau_scheme();
  h_ = h;
  const std::span<const Place> places = problem_.places();
  if (!places.empty() && !condensation_) condensation_.emplace(differential_, static_cast<int>(J.rows()), places);
  is_condensed_ = !places.empty();
  if (is_condensed_) {
    condensation_->condense(J);
    is_condensed_ = condensation_->is_fit_for(scheme.gamma / h);
  }
  const std::complex<double> shift(scheme.alpha / h, scheme.beta / h);
  return real_.factor(scheme.gamma / h, differential_, J, condensed()) &&
         complex_.factor(shift, differential_, J, condensed());
}

RadauStages::End RadauStages::evaluate(double t, double t_end, const Vector& x, ImplicitProblem::Use use) {
  const RadauScheme& scheme = radau_scheme();
  for (int i = 0; i < 3; ++i) {
    x_ = x + Z.col(i);
    ++evaluations_;
    auto done = problem_.evaluate(i == 2 ? t_end : t + scheme.c[i] * h_, x_.data(), F_.col(i).data(), use);
    if (!done) {
      failure_ = std::move(done.error());
      return End::kNotEvaluated;
    }
    if (F_.col(i).allFinite()) continue;
    for (culprit_ = 0; std::isfinite(F_(culprit_, i));) ++culprit_;
    return End::kNotFinite;
  }
  return End::kFound;
}

/// Computes the correction ΔW of Newton's iteration and stores it in F_.
void RadauStages::correct() {
  const RadauScheme& scheme = radau_scheme();
  const double gamma = scheme.gamma / h_, alpha = scheme.alpha / h_, beta = scheme.beta / h_;
  for (Eigen::Index k = 0; k < F_.rows(); ++k) {
    const Eigen::Vector3d f = scheme.T_inverse * F_.row(k).transpose();
    const bool has_rate = k < differential_;
    const double first = has_rate ? W_(k, 0) : 0.0, second = has_rate ? W_(k, 1) : 0.0,
                 third = has_rate ? W_(k, 2) : 0.0;
    x_[k] = f[0] - gamma * first;
    pair_[k] = {f[1] - alpha * second + beta * third, f[2] - alpha * third - beta * second};
  }
  real_.solve(condensed(), x_, real_change_);
  complex_.solve(condensed(), pair_, pair_change_);
  F_.col(0) = real_change_;
  F_.col(1) = pair_change_.real();
  F_.col(2) = pair_change_.imag();
}

RadauStages::End RadauStages::find(double t, double t_end, const Vector& x, const ImplicitScale& scale,
                                   ImplicitProblem::Use use) {
  const RadauScheme& scheme = radau_scheme();
  const double demand = std::max(demand_, least_change_);
  W_ = Z.lazyProduct(scheme.T_inverse.transpose());
  double eta = std::pow(std::max(eta_, kRadauControl.least_eta), 0.8);
  double norm_before = 0.0, quotient_before = 0.0;
  theta_ = 0.0;
  for (iterations_ = 1; iterations_ <= kMost; ++iterations_) {
    shrink_ = 0.5;
    if (const End end = evaluate(t, t_end, x, use); end != End::kFound) {
      shrink_ = 0.25;
      return end;
    }
    correct();
    double square = 0.0;
    for (int i = 0; i < 3; ++i) square += std::pow(scale.norm(F_.col(i)), 2);
    const double norm = std::sqrt(square / 3.0);
    if (!std::isfinite(norm)) return End::kDiverged;
    if (iterations_ > 1) {
      const double quotient = norm_before > 0.0 ? norm / norm_before : 0.0;
      theta_ = iterations_ == 2 ? quotient : std::sqrt(quotient * quotient_before);
      quotient_before = quotient;
      const bool is_rounding = norm <= least_change_;
      if (theta_ >= kRadauControl.diverging && !is_rounding) return End::kDiverged;
      eta = is_rounding ? std::min(eta, 1.0) : theta_ / (1.0 - theta_);
      const double at_last = eta * norm * std::pow(theta_, kMost - 1 - iterations_) / demand;
      if (iterations_ < kMost && at_last >= 1.0 && !is_rounding) {
        shrink_ = kRadauControl.shrink *
                  std::pow(std::clamp(at_last, kRadauControl.least_at_last, kRadauControl.most_at_last),
                           -1.0 / (4 + kMost - 1 - iterations_));
        return End::kDiverged;
      }
    }
    norm_before = norm;
    W_ += F_;
    Z = W_.lazyProduct(scheme.T.transpose());
    if (eta * norm <= demand) {
      eta_ = eta;
      return End::kFound;
    }
  }
  return End::kDiverged;
}

}  // namespace vinculum::integrate
