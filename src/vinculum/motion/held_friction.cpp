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
  if (!bound->stick.kernel || !bound->trusts_generated) return false;
  bound->stick.evaluate(input.data(), k.stick.data(), k.stick_workspace.data());
  const auto entry = [&](int i, int j) { return k.stick[static_cast<std::size_t>(i * (i + 1) / 2 + j)]; };
  if (sizes.slide_reach.size() == 0) return false;
  k.held.clear();
  for (std::size_t i = 0; i < mode->friction.sticks.size(); ++i) {
    if (mode->friction.sticks[i] == 0) continue;
    const equations::Slide& slide = compiled->system->slides[i];
    const std::size_t before = k.held.size();
    for (int c = slide.first; c < slide.first + slide.count; ++c) {
      if (entry(c, c) == 0.0) continue;  // no speed has a part in it
      if (!(entry(c, c) > tolerance::kDerivedRank * sizes.slide_reach[static_cast<Eigen::Index>(i)])) return false;
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
  const std::size_t count = mode->friction.sticks.size();
  double* const s = input.data() + 1 + ny;
  std::ranges::copy(input, k.locked_input.begin());
  double* const free = k.locked_input.data() + input.size();
  for (std::size_t i = 0; i < count; ++i) free[i] = mode->friction.sticks[i] != 0 ? 0.0 : 1.0;
  bound->locked.evaluate(k.locked_input.data(), result.data(), workspace.data());
  if (!numeric::is_finite(result.data(), ny) || !is_accepted(result.data() + ny)) return false;
  const double *const force = result.data() + ny + 2, *const bound = force + count;
  for (std::size_t i = 0; i < count; ++i) {
    if (mode->friction.sticks[i] == 0) continue;
    if (!std::isfinite(force[i]) || (!(bound[i] > 0.0) && force[i] != 0.0)) return false;
    const auto at = static_cast<Eigen::Index>(compiled->system->slides[i].first);
    k.force[at] = force[i];
    s[at] = bound[i] > 0.0 ? -force[i] / bound[i] : 0.0;
  }
  return true;
}

bool Dynamics::Impl::is_found_with_friction(const BoundKernel& kernel) {
  Sticking& k = *implicit->sticking;
  k.force.setZero();
  const auto is_found = [&] {
    evaluate(kernel);
    return numeric::is_finite(result.data(), ny) && is_accepted(result.data() + ny);
  };
  if (std::ranges::none_of(mode->friction.sticks, [](char sticks) { return sticks != 0; })) return is_found();
  if (bound->locked.kernel) return is_found_locked();
  if (!factor_held()) return false;
  read_slides();
  const auto n = static_cast<Eigen::Index>(k.held.size());
  const double* const bounds = k.stick.data() + k.s.size() * (k.s.size() + 1) / 2;
  double* const s = input.data() + 1 + ny;
  for (int correction = 0; correction <= kMostCorrections; ++correction) {
    if (!is_found()) return false;
    const auto u_dot = Eigen::Map<const Vector>(result.data() + nq, nu);
    double worst = 0.0;
    for (Eigen::Index i = 0; i < n; ++i) {
      const int c = nth(k.held, i);
      const double missed = -k.beta[c] - k.J.row(c).dot(u_dot);
      const double size = std::abs(k.beta[c]) + k.J.row(c).cwiseAbs().dot(u_dot.cwiseAbs()) +
                          std::abs(k.stick[static_cast<std::size_t>(c * (c + 1) / 2 + c)] * k.force[c]);
      worst = std::max(worst, std::abs(missed) / std::max(size, tolerance::kLeast));
      k.along[i] = missed;
    }
    if (correction > 0 && worst <= tolerance::kConverged) return true;
    if (correction == kMostCorrections) return worst <= tolerance::kZero;
    solve_held(k.along.head(n));
    for (Eigen::Index i = 0; i < n; ++i) k.force[nth(k.held, i)] += k.along[i];
    for (std::size_t i = 0; i < mode->friction.sticks.size(); ++i) {
      if (mode->friction.sticks[i] == 0) continue;
      const equations::Slide& slide = compiled->system->slides[i];
      const auto force = k.force.segment(slide.first, slide.count);
      if (!(bounds[i] > 0.0) && !force.isZero(0.0)) return false;
      for (int c = 0; c < slide.count; ++c) s[slide.first + c] = bounds[i] > 0.0 ? -force[c] / bounds[i] : 0.0;
    }
  }
  return false;
}

std::optional<double> Dynamics::Impl::push_sticking(double t, double* y) {
  Sticking& k = *implicit->sticking;
  if (bound->locked.kernel) {
    for (std::size_t i = 0; i < mode->friction.sticks.size(); ++i)
      if (mode->friction.sticks[i] != 0 && y[nq + nth(k.locked_speed, i)] != 0.0) return std::nullopt;
    return 0.0;
  }
  if (!bound->push.kernel) return std::nullopt;
  load(t, y);
  if (!factor_held()) return std::nullopt;
  read_slides();
  const auto n = static_cast<Eigen::Index>(k.held.size());
  for (Eigen::Index i = 0; i < n; ++i) k.along[i] = -k.v[nth(k.held, i)];
  solve_held(k.along.head(n));
  const auto state = input.size();
  std::ranges::copy(input, k.push_input.begin());
  std::fill(k.push_input.begin() + static_cast<std::ptrdiff_t>(state), k.push_input.end(), 0.0);
  for (Eigen::Index i = 0; i < n; ++i) k.push_input[state + static_cast<std::size_t>(nth(k.held, i))] = k.along[i];
  bound->push.evaluate(k.push_input.data(), result.data(), workspace.data());
  if (!numeric::is_finite(result.data(), nu) ||
      !(result[static_cast<std::size_t>(nu)] <= solve::StaticLdlt::kTolContraction))
    return std::nullopt;
  double moved = 0.0;
  for (int r = 0; r < nu; ++r) {
    const double change = result[static_cast<std::size_t>(r)];
    y[nq + r] += change;
    moved = std::max(moved, std::abs(change) * sizes.inverse_scale[nq + r]);
  }
  return moved;
}

/// \pre something sticks
bool Dynamics::Impl::read_held_friction(double t, const double* y, FrictionReading& reading) {
  const bool is_generated = bound->stick.kernel || bound->locked.kernel;
  if (!is_generated || !takes_generated() || mode->calls_on_constraints > 0 || compiled->compares_rows) return false;
  Sticking& k = *implicit->sticking;
  load(t, y);
  if (!is_found_with_friction(bound->accelerations)) return false;
  const auto count = static_cast<Eigen::Index>(mode->friction.sticks.size());
  const double* bounds = k.stick.data() + k.s.size() * (k.s.size() + 1) / 2;
  if (bound->locked.kernel) {
    read_slides();
    bounds = result.data() + ny + 2 + count;
  }
  k.is_shared = false;
  reading.is_shared = false;
  reading.force = k.force;
  reading.bound = Eigen::Map<const Vector>(bounds, count);
  reading.static_bound = reading.bound.cwiseProduct(Eigen::Map<const Vector>(bounds + count, count));
  reading.v_dot = k.J * Eigen::Map<const Vector>(result.data() + nq, nu) + k.beta;
  for (Eigen::Index i = 0; i < count; ++i) {
    if (mode->friction.sticks[static_cast<std::size_t>(i)] != 0 && !(reading.bound[i] >= 0.0)) return false;
  }
  return true;
}

}  // namespace vinculum::sim
