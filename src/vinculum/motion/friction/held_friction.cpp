#include "vinculum/motion/friction/held_friction.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/motion/accelerations/guards.hpp"
#include "vinculum/numeric/finite.hpp"

namespace vinculum::sim {
namespace {

constexpr int kMostCorrections = 3;  // most solutions for the sticking forces: the first and its corrections

}  // namespace

HeldFriction::HeldFriction(StateKernels& at) : at_(at) {
  const Binding& bound = *at.bound;
  const Eigen::Index ns = at.compiled->slide_size();
  along_ = force_ = Vector::Zero(ns);
  factor_ = Matrix::Zero(ns, ns);
  held_.reserve(static_cast<std::size_t>(ns));
  if (bound.stick.kernel) {
    stick_.resize(bound.stick.kernel->output_count());
    stick_workspace_.resize(bound.stick.kernel->workspace_size());
    push_input_.resize(bound.push.kernel->input_count());
  }
  if (bound.locked.kernel) {
    locked_input_.resize(bound.locked.kernel->input_count());
    for (const equations::Slide& slide : bound->system->slides)
      locked_speed_.push_back(expr::sparse_jacobian(slide.velocity, bound->system->u).front().column);
  }
}

void HeldFriction::stop_locked_speeds(double* y) const {
  for (std::size_t i = 0; i < locked_speed_.size(); ++i)
    if (at_.mode->friction.sticks[i] != 0) y[at_.nq + locked_speed_[i]] = 0.0;
}

/// Computes the response K of the sticking contacts at the state in `StateKernels::input`, and factors it.
/// \returns false if K is nearly singular; the forces of the contacts are then not unique or inaccurate.
bool HeldFriction::factor() {
  if (!at_.bound->stick.kernel || !at_.bound->trusts_generated) return false;
  at_.bound->stick.evaluate(at_.input.data(), stick_.data(), stick_workspace_.data());
  const auto entry = [&](int i, int j) { return stick_[static_cast<std::size_t>(i * (i + 1) / 2 + j)]; };
  if (at_.sizes.slide_reach.size() == 0) return false;
  held_.clear();
  for (std::size_t i = 0; i < at_.mode->friction.sticks.size(); ++i) {
    if (at_.mode->friction.sticks[i] == 0) continue;
    const equations::Slide& slide = at_.compiled->system->slides[i];
    const std::size_t before = held_.size();
    for (int c = slide.first; c < slide.first + slide.count; ++c) {
      if (entry(c, c) == 0.0) continue;  // this component depends on no speed
      if (!(entry(c, c) > tolerance::kDerivedRank * at_.sizes.slide_reach[static_cast<Eigen::Index>(i)])) return false;
      held_.push_back(c);
    }
    if (held_.size() == before) return false;
  }
  const double contraction = stick_.back();
  if (!(contraction <= solve::StaticLdlt::kTolContraction)) return false;
  const auto n = static_cast<int>(held_.size());
  Matrix& L = factor_;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = entry(nth(held_, i), nth(held_, j));
      for (int m = 0; m < j; ++m) sum -= L(i, m) * L(j, m) * L(m, m);
      if (j < i) {
        L(i, j) = sum / L(j, j);
        continue;
      }
      if (!(sum > tolerance::kWeakRow * entry(nth(held_, i), nth(held_, i)))) return false;
      L(i, i) = sum;
    }
  }
  return true;
}

/// Replaces x by K⁻¹ x.
/// \pre `factor`
void HeldFriction::solve(VectorRef x) const {
  const Matrix& L = factor_;
  const auto n = static_cast<Eigen::Index>(held_.size());
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index m = 0; m < i; ++m) x[i] -= L(i, m) * x[m];
  for (Eigen::Index i = 0; i < n; ++i) x[i] /= L(i, i);
  for (Eigen::Index i = n - 1; i >= 0; --i)
    for (Eigen::Index m = i + 1; m < n; ++m) x[i] -= L(m, i) * x[m];
}

bool HeldFriction::is_found_locked() {
  const std::size_t count = at_.mode->friction.sticks.size();
  double* const s = at_.input.data() + 1 + at_.ny;
  std::ranges::copy(at_.input, locked_input_.begin());
  double* const free = locked_input_.data() + at_.input.size();
  for (std::size_t i = 0; i < count; ++i) free[i] = at_.mode->friction.sticks[i] != 0 ? 0.0 : 1.0;
  at_.bound->locked.evaluate(locked_input_.data(), at_.result.data(), at_.workspace.data());
  if (!numeric::is_finite(at_.result.data(), at_.ny) || !is_accepted(at_.result.data() + at_.ny)) return false;
  const double *const force = at_.result.data() + at_.ny + 2, *const bound = force + count;
  for (std::size_t i = 0; i < count; ++i) {
    if (at_.mode->friction.sticks[i] == 0) continue;
    if (!std::isfinite(force[i]) || (!(bound[i] > 0.0) && force[i] != 0.0)) return false;
    const auto at = static_cast<Eigen::Index>(at_.compiled->system->slides[i].first);
    force_[at] = force[i];
    s[at] = bound[i] > 0.0 ? -force[i] / bound[i] : 0.0;
  }
  return true;
}

bool HeldFriction::is_found_by(const BoundKernel& kernel) {
  force_.setZero();
  const auto is_found = [&] {
    at_.evaluate(kernel);
    return numeric::is_finite(at_.result.data(), at_.ny) && is_accepted(at_.result.data() + at_.ny);
  };
  if (std::ranges::none_of(at_.mode->friction.sticks, [](char sticks) { return sticks != 0; })) return is_found();
  if (at_.bound->locked.kernel) return is_found_locked();
  if (!factor()) return false;
  at_.read_slides();
  const auto n = static_cast<Eigen::Index>(held_.size());
  const double* const bounds = stick_.data() + at_.slides->s.size() * (at_.slides->s.size() + 1) / 2;
  double* const s = at_.input.data() + 1 + at_.ny;
  for (int correction = 0; correction <= kMostCorrections; ++correction) {
    if (!is_found()) return false;
    const auto u_dot = Eigen::Map<const Vector>(at_.result.data() + at_.nq, at_.nu);
    double worst = 0.0;
    for (Eigen::Index i = 0; i < n; ++i) {
      const int c = nth(held_, i);
      const double missed = -at_.slides->beta[c] - at_.slides->J.row(c).dot(u_dot);
      const double size = std::abs(at_.slides->beta[c]) + at_.slides->J.row(c).cwiseAbs().dot(u_dot.cwiseAbs()) +
                          std::abs(stick_[static_cast<std::size_t>(c * (c + 1) / 2 + c)] * force_[c]);
      worst = std::max(worst, std::abs(missed) / std::max(size, tolerance::kLeast));
      along_[i] = missed;
    }
    if (correction > 0 && worst <= tolerance::kConverged) return true;
    if (correction == kMostCorrections) return worst <= tolerance::kZero;
    solve(along_.head(n));
    for (Eigen::Index i = 0; i < n; ++i) force_[nth(held_, i)] += along_[i];
    for (std::size_t i = 0; i < at_.mode->friction.sticks.size(); ++i) {
      if (at_.mode->friction.sticks[i] == 0) continue;
      const equations::Slide& slide = at_.compiled->system->slides[i];
      const auto force = force_.segment(slide.first, slide.count);
      if (!(bounds[i] > 0.0) && !force.isZero(0.0)) return false;
      for (int c = 0; c < slide.count; ++c) s[slide.first + c] = bounds[i] > 0.0 ? -force[c] / bounds[i] : 0.0;
    }
  }
  return false;
}

std::optional<double> HeldFriction::push(double t, double* y) {
  if (at_.bound->locked.kernel) {
    for (std::size_t i = 0; i < at_.mode->friction.sticks.size(); ++i)
      if (at_.mode->friction.sticks[i] != 0 && y[at_.nq + nth(locked_speed_, i)] != 0.0) return std::nullopt;
    return 0.0;
  }
  if (!at_.bound->push.kernel) return std::nullopt;
  at_.load(t, y);
  if (!factor()) return std::nullopt;
  at_.read_slides();
  const auto n = static_cast<Eigen::Index>(held_.size());
  for (Eigen::Index i = 0; i < n; ++i) along_[i] = -at_.slides->v[nth(held_, i)];
  solve(along_.head(n));
  const auto state = at_.input.size();
  std::ranges::copy(at_.input, push_input_.begin());
  std::fill(push_input_.begin() + static_cast<std::ptrdiff_t>(state), push_input_.end(), 0.0);
  for (Eigen::Index i = 0; i < n; ++i) push_input_[state + static_cast<std::size_t>(nth(held_, i))] = along_[i];
  at_.bound->push.evaluate(push_input_.data(), at_.result.data(), at_.workspace.data());
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

/// \pre a contact sticks
bool HeldFriction::read(double t, const double* y, FrictionReading& reading) {
  at_.load(t, y);
  if (!is_found_by(at_.bound->accelerations)) return false;
  const auto count = static_cast<Eigen::Index>(at_.mode->friction.sticks.size());
  const double* bounds = stick_.data() + at_.slides->s.size() * (at_.slides->s.size() + 1) / 2;
  if (at_.bound->locked.kernel) {
    at_.read_slides();
    bounds = at_.result.data() + at_.ny + 2 + count;
  }
  reading.is_shared = false;
  reading.force = force_;
  reading.bound = Eigen::Map<const Vector>(bounds, count);
  reading.static_bound = reading.bound.cwiseProduct(Eigen::Map<const Vector>(bounds + count, count));
  reading.v_dot = at_.slides->J * Eigen::Map<const Vector>(at_.result.data() + at_.nq, at_.nu) + at_.slides->beta;
  for (Eigen::Index i = 0; i < count; ++i) {
    if (at_.mode->friction.sticks[static_cast<std::size_t>(i)] != 0 && !(reading.bound[i] >= 0.0)) return false;
  }
  return true;
}

}  // namespace vinculum::sim
