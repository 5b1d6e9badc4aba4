#include "vinculum/hybrid/surface_rest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::sim {
namespace {

/// Whether x or y is the truth of a comparison by `==` or `!=`, so that x − y jumps and is never 0.
bool has_truth(const Switches::Surface& surface) {
  return std::ranges::any_of(std::array{surface.x, surface.y}, [](const expr::Expr& e) {
    if (!e.is_valid()) return false;
    const expr::Op op = e.graph().node(e.node()).op;
    return op == expr::Op::kEqual || op == expr::Op::kNotEqual;
  });
}

double largest_of(expr::Interval range) { return std::max(std::abs(range.lo), std::abs(range.hi)); }

}  // namespace

SurfaceRest::SurfaceRest(const Binding& bound)
    : bound_(bound),
      watches_(*bound->watches),
      program_(watches_.program()),
      inputs_(watches_.known.size() + watches_.unknown.size(), std::numeric_limits<double>::quiet_NaN()),
      jets_(inputs_.size(), {inputs_.front(), inputs_.front(), expr::Interval::whole(), expr::Interval::whole()}) {
  take({});
}

void SurfaceRest::take(std::span<const double> sides) {
  std::vector<double> fixed = bound_.parameters;
  const std::vector<double> more = sides.empty() ? watches_.switches.live_values() : watches_.switches.values(sides);
  fixed.insert(fixed.end(), more.begin(), more.end());
  program_.bind(fixed);
}

void SurfaceRest::enclose(const State& state, const Vector& low, const Vector& high, double t_rate) {
  const auto& [t, y, y_dot, scale, same] = state;
  jets_[0] = {t, t, {t, t}, {t_rate, t_rate}};
  for (Eigen::Index i = 0; i < y.size(); ++i)
    jets_[static_cast<std::size_t>(i) + 1] = {y[i], y[i], {y[i], y[i]}, {low[i], high[i]}};
  program_.enclose(jets_.data(), 0.0, nodes_);
}

expr::Interval SurfaceRest::rate(std::size_t surface) const {
  const expr::Interval x = program_.jet(2 * surface).rate, other = program_.jet(2 * surface + 1).rate;
  return {x.lo - other.hi, x.hi - other.lo};
}

double SurfaceRest::difference(std::size_t surface) const {
  return program_.value(2 * surface) - program_.value(2 * surface + 1);
}

void SurfaceRest::look_at(std::span<const std::size_t> surfaces) {
  looks_.clear();
  for (const std::size_t k : surfaces) looks_.insert(looks_.end(), {2 * k, 2 * k + 1});
  program_.find_nodes(looks_, nodes_);
}

void SurfaceRest::evaluate(const State& state) {
  inputs_[0] = state.t;
  std::copy_n(state.y.data(), state.y.size(), inputs_.data() + 1);
  program_.evaluate(inputs_.data(), nodes_);
}

/// Reads these surfaces.
void SurfaceRest::read(const State& state, std::span<const std::size_t> surfaces, Placement& placed) {
  const Vector size = state.y.cwiseAbs(), typical = size.cwiseMax(state.scale), change = state.y_dot.cwiseAbs();
  look_at(surfaces);
  evaluate(state);
  const auto each = [&](auto&& set) {
    for (const std::size_t k : surfaces) set(placed.of_[k], k);
  };
  each([&](auto& one, std::size_t k) {
    const Switches::Surface& surface = watches_.switches.surfaces()[k];
    one.is_off = surface.is_floor() || has_truth(surface);
    one.difference = difference(k);
  });
  enclose(state, -size, size, state.t);
  each([&](auto& one, std::size_t k) { one.terms = largest_of(rate(k)); });
  enclose(state, -typical, typical, state.t);
  each([&](auto& one, std::size_t k) { one.typical = largest_of(rate(k)); });
  enclose(state, -change, change, 1.0);
  each([&](auto& one, std::size_t k) { one.rate_terms = largest_of(rate(k)); });
  enclose(state, state.y_dot, state.y_dot, 1.0);
  each([&](auto& one, std::size_t k) { one.rate_low = rate(k).lo, one.rate_high = rate(k).hi; });
  // Next to a pole x − y changes so fast that it seems to be near 0.
  for (const std::size_t k : surfaces)
    for (const std::size_t inner : watches_.switches.surfaces()[k].inner)
      if (watches_.switches.surfaces()[inner].is_pole() && placed.is_near(inner, state.same))
        placed.of_[k].is_off = true;
}

Placement SurfaceRest::near(const State& state, const Vector& fastest, std::span<const char> also) {
  Placement placed;
  placed.of_.resize(watches_.surface_count());
  std::vector<std::size_t> all(placed.of_.size()), near;
  std::iota(all.begin(), all.end(), std::size_t{0});
  look_at(all);
  evaluate(state);
  // Rates of the components for which the rate of x − y bounds the distances of `is_zero` and `is_near`.
  const Vector typical = state.y.cwiseAbs().cwiseMax(state.scale);
  const Vector reach = 2.0 * (tolerance::kAtStates * typical + state.same * fastest);
  enclose(state, -reach, reach, 2.0 * (tolerance::kAtStates * std::abs(state.t) + state.same));
  for (const std::size_t k : all) {
    const bool is_asked = !also.empty() && also[k] != 0;
    if (is_asked || !(std::abs(difference(k)) > largest_of(rate(k)))) near.push_back(k);
  }
  if (!near.empty()) read(state, near, placed);
  return placed;
}

Placement SurfaceRest::at(const State& state, std::size_t surface) {
  Placement placed;
  placed.of_.resize(watches_.surface_count());
  std::vector<std::size_t> some = {surface};
  for (const std::size_t inner : watches_.switches.surfaces()[surface].inner)
    if (watches_.switches.surfaces()[inner].is_pole()) some.push_back(inner);
  read(state, some, placed);
  return placed;
}

double Placement::One::largest_rate() const { return std::max(std::abs(rate_low), std::abs(rate_high)); }

bool Placement::is_zero(std::size_t surface) const {
  const One& one = of_[surface];
  return !one.is_off && std::abs(one.difference) <= tolerance::kAtStates * one.terms;
}

double Placement::direction(std::size_t surface) const {
  const One& one = of_[surface];
  if (!(one.largest_rate() > tolerance::kAtStates * one.rate_terms)) return 0.0;
  return one.rate_low + one.rate_high > 0.0 ? 1.0 : -1.0;
}

bool Placement::stays_near(std::size_t surface, double time) const {
  const One& one = of_[surface];
  return !one.is_off && std::abs(one.difference) + time * one.largest_rate() <= tolerance::kRounded * one.typical;
}

bool Placement::is_near(std::size_t surface, double time) const {
  const One& one = of_[surface];
  return !one.is_off && std::abs(one.difference) <= tolerance::kRounded * one.typical + time * one.largest_rate();
}

}  // namespace vinculum::sim
