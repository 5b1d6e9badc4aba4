#include "vinculum/sim/run/surface_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/integrate/event.hpp"

namespace vinculum::sim {
namespace {

constexpr int kNodesOfStep = 8;  // intervals between those in a step
constexpr double kDips = 0.25;   // of a margin at a node: what the parabola through it and its neighbours falls below

/// The least value of the parabola through three points, or that of the middle one.
double lowest_of_parabola(const double* t, const double* m) {
  const double left = (m[1] - m[0]) / (t[1] - t[0]), right = (m[2] - m[1]) / (t[2] - t[1]);
  const double bend = (right - left) / (t[2] - t[0]);
  if (!(bend > 0.0)) return m[1];
  const double slope = left + bend * (t[1] - t[0]);  // at the middle one
  return m[1] - 0.25 * slope * slope / bend;
}

}  // namespace

void SurfaceState::take(const std::vector<double>& sides) {
  motion_.reset();
  if (!watches_.switches.between(sides).empty()) motion_.emplace(dynamics_, sides);
}

Outcome<double> SurfaceState::margin_at(const integrate::Step& step, double t, std::size_t held) {
  if (t == step.t_end()) {
    y_ = step.y_end();
  } else if (auto done = step.interpolate(t, y_); !done) {
    return fail(std::move(done.error()));
  }
  if (auto done = motion_->read(t, y_.data(), SurfaceMotion::Use::kLooks); !done) return fail(std::move(done.error()));
  return motion_->margin(held) + tolerance::kZero;
}

Outcome<std::optional<Leaving>> SurfaceState::leaving(const integrate::Step& step) {
  std::optional<Leaving> first;
  for (std::size_t held = 0; motion_ && held < motion_->held().size(); ++held) {
    const auto margin = [&](double t) { return margin_at(step, t, held); };
    double times[kNodesOfStep + 1], margins[kNodesOfStep + 1];
    const double middle = 0.5 * (step.t_begin() + step.t_end()), half = 0.5 * (step.t_end() - step.t_begin());
    int out = 0;
    for (; out <= kNodesOfStep; ++out) {
      times[out] = out == 0              ? step.t_begin()
                   : out == kNodesOfStep ? step.t_end()
                                         : middle - half * std::cos(std::numbers::pi * out / kNodesOfStep);
      const auto read = margin(times[out]);
      if (!read) return fail(read.error());
      margins[out] = *read;
      if (margins[out] < 0.0) break;
    }
    double before = out > 0 ? times[out - 1] : step.t_begin(), at_before = out > 0 ? margins[out - 1] : 0.0;
    double after = out <= kNodesOfStep ? times[out] : 0.0, at_after = out <= kNodesOfStep ? margins[out] : 0.0;
    for (int i = 1; i < std::min(out, kNodesOfStep); ++i) {
      const bool is_low = margins[i] <= margins[i - 1] && margins[i] <= margins[i + 1];
      if (!is_low || lowest_of_parabola(times + i - 1, margins + i - 1) > kDips * margins[i]) continue;
      const auto length = [&](double t) {
        const auto read = margin(t);
        return read ? *read : std::numeric_limits<double>::infinity();
      };
      const auto lowest = integrate::find_lowest(length, times[i - 1], times[i + 1]);
      if (!lowest || !(lowest->length < 0.0)) continue;
      before = times[i - 1];
      at_before = margins[i - 1];
      after = lowest->t;
      at_after = lowest->length;
      out = i;
      break;
    }
    if (out > kNodesOfStep) continue;
    double t = before;
    if (at_before > 0.0) {
      const integrate::Crossing crossing = integrate::find_crossing(margin, before, at_before, after, at_after, 0.0);
      if (crossing.blind) return fail(*crossing.blind);
      t = crossing.after;
    }
    if (first && first->t <= t) continue;
    (void)margin(t);
    first = Leaving{t, motion_->held()[held], motion_->shares()[static_cast<Eigen::Index>(held)] > 0.5};
  }
  return first;
}

Outcome<double> SurfaceState::rate_of(double t, const Vector& y, const std::vector<double>& sides,
                                      std::size_t surface) const {
  SurfaceMotion motion(dynamics_, sides);
  if (auto done = motion.read(t, y.data(), SurfaceMotion::Use::kLooks); !done) return fail(std::move(done.error()));
  const auto at = std::ranges::find(watches_.steered, surface) - watches_.steered.begin();
  return motion.rates()[at];
}

/// Off surfaces whose sides do not both push towards them, the worst first.
Outcome<std::vector<double>> SurfaceState::settled(double t, const Vector& y, std::vector<double> sides) {
  while (true) {
    SurfaceMotion motion(dynamics_, sides);
    if (motion.held().empty()) return sides;
    if (auto done = motion.read(t, y.data(), SurfaceMotion::Use::kLooks); !done) return fail(std::move(done.error()));
    std::size_t worst = 0;
    for (std::size_t i = 1; i < motion.held().size(); ++i)
      if (motion.margin(i) < motion.margin(worst)) worst = i;
    if (motion.margin(worst) < -tolerance::kZero) {
      const Switches::Surface& surface = watches_.switches.surfaces()[motion.held()[worst]];
      double& side = sides[motion.held()[worst]];
      side = motion.shares()[static_cast<Eigen::Index>(worst)] > 0.5 ? surface.upper(side) : surface.lower(side);
      continue;
    }
    const auto is_unique = motion.is_unique(t, y.data());
    if (!is_unique) return fail(is_unique.error());
    if (*is_unique) return sides;
    ends_ = true;
    Failure failure;
    failure.kind = FailureKind::kNotUnique;
    failure.t = t;
    const auto text = [&](std::size_t i) { return watches_.switches.surfaces()[motion.held()[i]].text; };
    failure.message = fmt::format(
        "both sides of `{}` and of `{}` push towards these surfaces, and what they do does not add up: the motion "
        "along "
        "both is not unique",
        text(0), text(1));
    return fail(std::move(failure));
  }
}

Outcome<std::vector<double>> SurfaceState::beyond(double t, const Vector& y, const std::vector<double>& sides,
                                                  std::vector<double> through, std::size_t k, bool upward) {
  const Switches::Surface& surface = watches_.switches.surfaces()[k];
  if (std::ranges::find(watches_.steered, k) != watches_.steered.end()) {
    const auto here = rate_of(t, y, sides, k), there = rate_of(t, y, through, k);
    if (!here || !there) return through;  // what is wrong there the next step says
    if ((upward ? *there : -*there) <= tolerance::kZero * (std::abs(*here) + std::abs(*there)) && *here != *there) {
      std::vector<double> along = sides;
      along[k] = surface.beside(sides[k], upward);
      auto held = settled(t, y, std::move(along));
      if (held || ends_) return held;
    }
  }
  return settled(t, y, std::move(through));
}

Outcome<std::vector<double>> SurfaceState::off(double t, const Vector& y, std::vector<double> sides, std::size_t k,
                                               bool upward) {
  const Switches::Surface& surface = watches_.switches.surfaces()[k];
  sides[k] = upward ? surface.upper(sides[k]) : surface.lower(sides[k]);
  return settled(t, y, std::move(sides));
}

}  // namespace vinculum::sim
