// Decides whether values are 0, or constant, at the states of a probe.
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/scales.hpp"
#include "vinculum/equations/kane.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/rounding.hpp"
#include "vinculum/verify/invariants/invariants_probe.hpp"

namespace vinculum::sim::invariants {
namespace {

using expr::Expr;

using vinculum::sim::append;
void put_behind(std::vector<double>& all, const Vector& more) {
  all.insert(all.end(), more.data(), more.data() + more.size());
}

/// Returns the residual that a projection leaves in components that constraints keep at 0: the rounding error of the
/// largest component with the same dimension.
template <class Symbols>
Vector left_of(const Vector& components, const Symbols& symbols) {
  Vector left = Vector::Zero(components.size());
  for (Eigen::Index i = 0; i < left.size(); ++i) {
    for (Eigen::Index k = 0; k < left.size(); ++k) {
      if (nth(symbols, i).dimension == nth(symbols, k).dimension)
        left[i] = std::max(left[i], tolerance::kRounded * std::abs(components[k]));
    }
  }
  return left;
}

}  // namespace

bool Probe::is_stationary(const std::vector<Expr>& gradient, const Sample& sample, const Vector& noise) const {
  // Factor applied to the measured change of u' by rounding of the state, because few roundings are sampled.
  constexpr double kDraws = 100.0;
  std::vector<double> rates{1.0};
  put_behind(rates, sample.q_dot);
  put_behind(rates, sample.reaction.u_dot());
  put_behind(rates, sample.z_dot);
  const std::vector<Rounded> slope = expr::interpret_with_noise(gradient, symbols_, numbers_of(sample));
  double sum = 0.0, size = 0.0;
  for (std::size_t i = 0; i < slope.size(); ++i) {
    sum += slope[i].value * rates[i];
    // If the error is not finite, no error bound is known.
    const double rounding = std::isfinite(slope[i].error) ? slope[i].error : 0.0;
    size += (std::abs(slope[i].value) * tolerance::kConditioned + rounding) * std::abs(rates[i]);
  }
  const std::size_t first_u = 1 + system_.q.size();
  for (Eigen::Index r = 0; r < noise.size(); ++r)
    size += kDraws * noise[r] * std::abs(slope[first_u + static_cast<std::size_t>(r)].value);
  const Vector left = left_of(sample.q_dot, model_.coordinates);
  for (Eigen::Index i = 0; i < left.size(); ++i)
    size += left[i] * std::abs(slope[1 + static_cast<std::size_t>(i)].value);
  return !(std::abs(sum) > size);
}

std::optional<bool> Probe::is_constant(Expr value) const {
  std::vector<Expr> x{system_.t};
  append(x, system_.q);
  append(x, system_.u);
  append(x, system_.z);
  const std::vector<Expr> gradient = expr::gradient(value, x);
  bool is_known = false;
  for (std::size_t s = 0; s < samples_.size(); ++s) {
    if (is_awake_[s] == 0) continue;
    is_known = true;
    if (!is_stationary(gradient, samples_[s], noise_[s])) return false;
  }
  if (!is_known) return std::nullopt;
  return std::ranges::all_of(resting_,
                             [&](const Known& one) { return is_stationary(gradient, one.sample, one.noise); });
}

bool Probe::vanishes(Expr value) const {
  if (value.is_zero()) return true;
  std::vector<Expr> x = system_.q;
  append(x, system_.u);
  const equations::Sampler sampler(symbols_, 1);
  if (sampler.is_generically_zero(value)) return true;
  std::vector<Expr> all = expr::gradient(value, x);
  all.push_back(value);
  return std::ranges::all_of(samples_, [&](const Sample& sample) {
    const std::vector<double> values = at(sample, all);
    Vector state(sample.q.size() + sample.u.size()), left = state;
    state << sample.q, sample.u;
    left << left_of(sample.q, model_.coordinates), left_of(sample.u, model_.speeds);
    double most = 0.0;
    for (Eigen::Index i = 0; i < state.size(); ++i)
      most += std::abs(nth(values, i)) * (tolerance::kIdentity * std::abs(state[i]) + left[i]);
    return std::abs(values.back()) <= most;
  });
}

bool Probe::is_held_at_zero(Expr value) const {
  const auto nu = static_cast<Eigen::Index>(system_.u.size());
  std::vector<Expr> all = expr::gradient(value, system_.u);
  all.push_back(value);
  for (const equations::Row& row : system_.rows) {
    if (!row.psi.is_valid()) continue;
    append(all, row.A.dense());
    all.push_back(row.psi);
  }
  // If `value` = c·ψ for velocities of typical magnitude, `value` is 0 at all states that satisfy the rows ψ = 0.
  return std::ranges::all_of(samples_, [&](const Sample& sample) {
    const std::vector<double> numbers = at(sample, all);
    const Vector size = speed_scale(bound_, sample.u, sample.reaction.u_dot(), coordinate_reach(bound_, sample.q));
    const Eigen::Index count = static_cast<Eigen::Index>(numbers.size()) / (nu + 1);
    // Last row: values; rows above it: gradients. First column: `value`; other columns: constraint rows.
    Matrix rows = Eigen::Map<const Matrix>(numbers.data(), nu + 1, count);
    rows.topRows(nu) = size.asDiagonal() * rows.topRows(nu);
    for (Eigen::Index k = 1; k < count; ++k) {
      if (const double length = rows.col(k).head(nu).norm(); length > 0.0) rows.col(k) /= length;
    }
    const Vector slope = rows.col(0).head(nu);
    Vector left = rows.col(0);
    if (count > 1)
      left -=
          rows.rightCols(count - 1) * rows.topRightCorner(nu, count - 1).completeOrthogonalDecomposition().solve(slope);
    return left.head(nu).norm() <= tolerance::kAtStates * slope.norm() &&
           std::abs(left[nu]) <= tolerance::kAtStates * slope.cwiseAbs().sum();
  });
}

bool Probe::is_among(Expr value, const std::vector<Expr>& others) const {
  std::vector<Expr> x = system_.q;
  append(x, system_.u);
  append(x, system_.z);
  const std::vector<Expr> slope = expr::gradient(value, x);
  const Vector sizes = stated_scale(bound_);  // makes the derivatives comparable: all get one dimension
  return std::ranges::any_of(others, [&](Expr other) {
    const std::vector<Expr> its = expr::gradient(other, x);
    return std::ranges::all_of(samples_, [&](const Sample& sample) {
      const std::vector<double> a = at(sample, slope), b = at(sample, its);
      const Vector u = Eigen::Map<const Vector>(a.data(), sizes.size()).cwiseProduct(sizes);
      const Vector v = Eigen::Map<const Vector>(b.data(), sizes.size()).cwiseProduct(sizes);
      const double along = u.dot(v), length = u.norm() * v.norm();
      return std::abs(std::abs(along) - length) <= tolerance::kGeneric * length;
    });
  });
}

}  // namespace vinculum::sim::invariants
