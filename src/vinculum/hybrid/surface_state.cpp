#include "vinculum/hybrid/surface_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/integrate/first_fall.hpp"

namespace vinculum::sim {
namespace {

constexpr int kMostPartsOfShares = 400;  // largest number of parts of a step in which convex weights are examined

}  // namespace

void SurfaceState::take(const std::vector<double>& sides) {
  motion_.reset();
  if (!watches_.switches.between(sides).empty()) motion_.emplace(dynamics_.binding(), sides);
}

Mode SurfaceState::on_sides(const std::vector<double>& sides) const {
  Mode mode = mode_;
  set_sides(mode, dynamics_.binding(), sides);
  return mode;
}

Outcome<double> SurfaceState::margin_at(const integrate::Step& step, double t, std::size_t held) {
  if (t == step.t_end()) {
    y_ = step.y_end();
  } else if (auto done = step.interpolate(t, y_); !done) {
    return fail(std::move(done.error()));
  }
  look_ = mode_;
  if (auto done = motion_->read(dynamics_, look_, t, y_.data()); !done) return fail(std::move(done.error()));
  return motion_->margin(held) + tolerance::kRounded;
}

Outcome<SurfaceState::Lasting> SurfaceState::lasting(const integrate::Step& step) {
  Lasting lasting{{}, step.t_end()};
  for (std::size_t held = 0; motion_ && held < motion_->held().size(); ++held) {
    const auto margin = [&](double t) { return margin_at(step, t, held); };
    const auto fall = integrate::find_first_fall(margin, step.t_begin(), step.t_end(), kMostPartsOfShares);
    if (!fall) return fail(fall.error());
    if (!fall->at) {
      lasting.shown = std::min(lasting.shown, fall->shown);
      continue;
    }
    if (fall->at->blind) return fail(*fall->at->blind);
    const double t = fall->at->after;
    if (lasting.leaving && lasting.leaving->t <= t) continue;
    (void)margin(t);
    lasting.leaving = Leaving{t, motion_->held()[held], motion_->shares()[static_cast<Eigen::Index>(held)] > 0.5};
  }
  if (lasting.leaving && lasting.leaving->t > lasting.shown) lasting.leaving.reset();
  return lasting;
}

Outcome<double> SurfaceState::rate_of(double t, const Vector& y, const std::vector<double>& sides,
                                      std::size_t surface) {
  SurfaceMotion motion(dynamics_.binding(), sides);
  Mode mode = on_sides(sides);
  if (auto done = motion.read(dynamics_, mode, t, y.data()); !done) return fail(std::move(done.error()));
  const auto at = std::ranges::find(watches_.steered, surface) - watches_.steered.begin();
  return motion.rates()[at];
}

bool SurfaceState::departs(double t, const Vector& y, const std::vector<double>& sides, std::size_t surface,
                           bool upward) {
  if (std::ranges::find(watches_.steered, surface) == watches_.steered.end()) return false;
  const auto rate = rate_of(t, y, sides, surface);
  return rate && (upward ? *rate < 0.0 : *rate > 0.0);
}

/// Removes surfaces from the sliding mode towards which the vector fields do not point from both sides, the worst
/// first.
Outcome<std::vector<double>> SurfaceState::settled(double t, const Vector& y, std::vector<double> sides) {
  while (true) {
    SurfaceMotion motion(dynamics_.binding(), sides);
    if (motion.held().empty()) return sides;
    Mode mode = on_sides(sides);
    if (auto done = motion.read(dynamics_, mode, t, y.data()); !done) return fail(std::move(done.error()));
    std::size_t worst = 0;
    for (std::size_t i = 1; i < motion.held().size(); ++i)
      if (motion.margin(i) < motion.margin(worst)) worst = i;
    if (motion.margin(worst) < -tolerance::kZero) {
      const Switches::Surface& surface = watches_.switches.surfaces()[motion.held()[worst]];
      double& side = sides[motion.held()[worst]];
      const bool is_upper = motion.shares()[static_cast<Eigen::Index>(worst)] > 0.5;
      side = is_upper ? surface.upper(side) : surface.lower(side);
      regions_.complete_beyond(sides, motion.held()[worst], is_upper, t, y);
      continue;
    }
    const auto is_unique = motion.is_unique(dynamics_, mode, t, y.data());
    if (!is_unique) return fail(is_unique.error());
    if (*is_unique) return sides;
    ends_ = true;
    Failure failure;
    failure.kind = FailureKind::kNotUnique;
    failure.t = t;
    const auto text = [&](std::size_t i) { return watches_.switches.surfaces()[motion.held()[i]].text; };
    failure.message =
        fmt::format("both sides of `{}` and of `{}` push towards these surfaces: the motion along both is not unique",
                    text(0), text(1));
    return fail(std::move(failure));
  }
}

Outcome<std::vector<double>> SurfaceState::beyond(double t, const Vector& y, const std::vector<double>& sides,
                                                  std::vector<double> through, std::size_t k, bool upward) {
  const Switches::Surface& surface = watches_.switches.surfaces()[k];
  if (std::ranges::find(watches_.steered, k) != watches_.steered.end()) {
    const auto here = rate_of(t, y, sides, k), there = rate_of(t, y, through, k);
    if (!here || !there) return through;  // the next step reports the error there
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
  regions_.complete_beyond(sides, k, upward, t, y);
  return settled(t, y, std::move(sides));
}

}  // namespace vinculum::sim
