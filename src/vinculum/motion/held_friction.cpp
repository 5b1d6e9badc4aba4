#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/dynamics_impl.hpp"
#include "vinculum/numeric/finite.hpp"

/// Contacts that stick as a Schur complement over the generated motion, where their bounds do not depend on reactions:
/// K τ = −(J u' + β) with u' of the motion without them, then the motion with the directions s = −τ/g of friction.
namespace vinculum::sim {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int kMostCorrections = 3;  // of forces that stick, the first included

}  // namespace

/// K of what sticks at the state in `input`, and its factor. \returns false where it is close to singular: forces of
/// friction are not unique then, or nearly so.
bool Dynamics::Impl::factor_held() {
  Sticking& k = *implicit->sticking;
  if (!at_.bound->stick.kernel || !at_.bound->trusts_generated) return false;
  at_.bound->stick.evaluate(at_.input.data(), k.stick.data(), k.stick_workspace.data());
  const auto entry = [&](int i, int j) { return k.stick[static_cast<std::size_t>(i * (i + 1) / 2 + j)]; };
  if (at_.sizes.slide_reach.size() == 0) return false;
  k.held.clear();
  for (std::size_t i = 0; i < at_.mode->friction.sticks.size(); ++i) {
    if (at_.mode->friction.sticks[i] == 0) continue;
    const equations::Slide& slide = at_.compiled->system->slides[i];
    const std::size_t before = k.held.size();
    for (int c = slide.first; c < slide.first + slide.count; ++c) {
      if (entry(c, c) == 0.0) continue;  // no speed has a part in it
      if (!(entry(c, c) > tolerance::kDerivedRank * at_.sizes.slide_reach[static_cast<Eigen::Index>(i)])) return false;
      k.held.push_back(c);
    }
    if (k.held.size() == before) return false;
  }
  const double contraction = k.stick.back();
  if (!(contraction <= solve::StaticLdlt::kTolContraction)) return false;
  const auto n = static_cast<int>(k.held.size());
  Matrix& L = k.held_factor;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = entry(nth(k.held, i), nth(k.held, j));
      for (int m = 0; m < j; ++m) sum -= L(i, m) * L(j, m) * L(m, m);
      if (j < i) {
        L(i, j) = sum / L(j, j);
        continue;
      }
      if (!(sum > tolerance::kWeakRow * entry(nth(k.held, i), nth(k.held, i)))) return false;
      L(i, i) = sum;
    }
  }
  return true;
}

/// x ← K⁻¹ x.   \pre `factor_held`
void Dynamics::Impl::solve_held(VectorRef x) const {
  const Matrix& L = implicit->sticking->held_factor;
  const auto n = static_cast<Eigen::Index>(implicit->sticking->held.size());
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index m = 0; m < i; ++m) x[i] -= L(i, m) * x[m];
  for (Eigen::Index i = 0; i < n; ++i) x[i] /= L(i, i);
  for (Eigen::Index i = n - 1; i >= 0; --i)
    for (Eigen::Index m = i + 1; m < n; ++m) x[i] -= L(m, i) * x[m];
}

bool Dynamics::Impl::is_found_locked() {
  Sticking& k = *implicit->sticking;
  const std::size_t count = at_.mode->friction.sticks.size();
  double* const s = at_.input.data() + 1 + at_.ny;
  std::ranges::copy(at_.input, k.locked_input.begin());
  double* const free = k.locked_input.data() + at_.input.size();
  for (std::size_t i = 0; i < count; ++i) free[i] = at_.mode->friction.sticks[i] != 0 ? 0.0 : 1.0;
  at_.bound->locked.evaluate(k.locked_input.data(), at_.result.data(), at_.workspace.data());
  if (!numeric::is_finite(at_.result.data(), at_.ny) || !is_accepted(at_.result.data() + at_.ny)) return false;
  const double *const force = at_.result.data() + at_.ny + 2, *const bound = force + count;
  for (std::size_t i = 0; i < count; ++i) {
    if (at_.mode->friction.sticks[i] == 0) continue;
    if (!std::isfinite(force[i]) || (!(bound[i] > 0.0) && force[i] != 0.0)) return false;
    const auto at = static_cast<Eigen::Index>(at_.compiled->system->slides[i].first);
    k.force[at] = force[i];
    s[at] = bound[i] > 0.0 ? -force[i] / bound[i] : 0.0;
  }
  return true;
}

bool Dynamics::Impl::is_found_with_friction(const BoundKernel& kernel) {
  Sticking& k = *implicit->sticking;
  k.force.setZero();
  const auto is_found = [&] {
    at_.evaluate(kernel);
    return numeric::is_finite(at_.result.data(), at_.ny) && is_accepted(at_.result.data() + at_.ny);
  };
  if (std::ranges::none_of(at_.mode->friction.sticks, [](char sticks) { return sticks != 0; })) return is_found();
  if (at_.bound->locked.kernel) return is_found_locked();
  if (!factor_held()) return false;
  at_.read_slides();
  const auto n = static_cast<Eigen::Index>(k.held.size());
  const double* const bounds = k.stick.data() + at_.slides->s.size() * (at_.slides->s.size() + 1) / 2;
  double* const s = at_.input.data() + 1 + at_.ny;
  for (int correction = 0; correction <= kMostCorrections; ++correction) {
    if (!is_found()) return false;
    const auto u_dot = Eigen::Map<const Vector>(at_.result.data() + at_.nq, at_.nu);
    double worst = 0.0;
    for (Eigen::Index i = 0; i < n; ++i) {
      const int c = nth(k.held, i);
      const double missed = -at_.slides->beta[c] - at_.slides->J.row(c).dot(u_dot);
      const double size = std::abs(at_.slides->beta[c]) + at_.slides->J.row(c).cwiseAbs().dot(u_dot.cwiseAbs()) +
                          std::abs(k.stick[static_cast<std::size_t>(c * (c + 1) / 2 + c)] * k.force[c]);
      worst = std::max(worst, std::abs(missed) / std::max(size, tolerance::kLeast));
      k.along[i] = missed;
    }
    if (correction > 0 && worst <= tolerance::kConverged) return true;
    if (correction == kMostCorrections) return worst <= tolerance::kZero;
    solve_held(k.along.head(n));
    for (Eigen::Index i = 0; i < n; ++i) k.force[nth(k.held, i)] += k.along[i];
    for (std::size_t i = 0; i < at_.mode->friction.sticks.size(); ++i) {
      if (at_.mode->friction.sticks[i] == 0) continue;
      const equations::Slide& slide = at_.compiled->system->slides[i];
      const auto force = k.force.segment(slide.first, slide.count);
      if (!(bounds[i] > 0.0) && !force.isZero(0.0)) return false;
      for (int c = 0; c < slide.count; ++c) s[slide.first + c] = bounds[i] > 0.0 ? -force[c] / bounds[i] : 0.0;
    }
  }
  return false;
}

std::optional<double> Dynamics::Impl::push_sticking(double t, double* y) {
  Sticking& k = *implicit->sticking;
  if (at_.bound->locked.kernel) {
    for (std::size_t i = 0; i < at_.mode->friction.sticks.size(); ++i)
      if (at_.mode->friction.sticks[i] != 0 && y[at_.nq + nth(k.locked_speed, i)] != 0.0) return std::nullopt;
    return 0.0;
  }
  if (!at_.bound->push.kernel) return std::nullopt;
  at_.load(t, y);
  if (!factor_held()) return std::nullopt;
  at_.read_slides();
  const auto n = static_cast<Eigen::Index>(k.held.size());
  for (Eigen::Index i = 0; i < n; ++i) k.along[i] = -at_.slides->v[nth(k.held, i)];
  solve_held(k.along.head(n));
  const auto state = at_.input.size();
  std::ranges::copy(at_.input, k.push_input.begin());
  std::fill(k.push_input.begin() + static_cast<std::ptrdiff_t>(state), k.push_input.end(), 0.0);
  for (Eigen::Index i = 0; i < n; ++i) k.push_input[state + static_cast<std::size_t>(nth(k.held, i))] = k.along[i];
  at_.bound->push.evaluate(k.push_input.data(), at_.result.data(), at_.workspace.data());
  if (!numeric::is_finite(at_.result.data(), at_.nu) ||
      !(at_.result[static_cast<std::size_t>(at_.nu)] <= solve::StaticLdlt::kTolContraction))
    return std::nullopt;
  double moved = 0.0;
  for (int r = 0; r < at_.nu; ++r) {
    const double change = at_.result[static_cast<std::size_t>(r)];
    y[at_.nq + r] += change;
    moved = std::max(moved, std::abs(change) * at_.sizes.inverse_scale[at_.nq + r]);
  }
  return moved;
}

/// \pre something sticks
bool Dynamics::Impl::read_held_friction(double t, const double* y, FrictionReading& reading) {
  const bool is_generated = at_.bound->stick.kernel || at_.bound->locked.kernel;
  if (!is_generated || !takes_generated() || at_.mode->calls_on_constraints > 0 || at_.compiled->compares_rows) return false;
  Sticking& k = *implicit->sticking;
  at_.load(t, y);
  if (!is_found_with_friction(at_.bound->accelerations)) return false;
  const auto count = static_cast<Eigen::Index>(at_.mode->friction.sticks.size());
  const double* bounds = k.stick.data() + at_.slides->s.size() * (at_.slides->s.size() + 1) / 2;
  if (at_.bound->locked.kernel) {
    at_.read_slides();
    bounds = at_.result.data() + at_.ny + 2 + count;
  }
  k.is_shared = false;
  reading.is_shared = false;
  reading.force = k.force;
  reading.bound = Eigen::Map<const Vector>(bounds, count);
  reading.static_bound = reading.bound.cwiseProduct(Eigen::Map<const Vector>(bounds + count, count));
  reading.v_dot = at_.slides->J * Eigen::Map<const Vector>(at_.result.data() + at_.nq, at_.nu) + at_.slides->beta;
  for (Eigen::Index i = 0; i < count; ++i) {
    if (at_.mode->friction.sticks[static_cast<std::size_t>(i)] != 0 && !(reading.bound[i] >= 0.0)) return false;
  }
  return true;
}

}  // namespace vinculum::sim
