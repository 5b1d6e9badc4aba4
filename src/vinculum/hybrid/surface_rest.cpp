#include "vinculum/hybrid/surface_rest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::sim {
namespace {

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

void SurfaceRest::enclose(double t, const Vector& y, const Vector& low, const Vector& high, double t_rate) {
  jets_[0] = {t, t, {t, t}, {t_rate, t_rate}};
  for (Eigen::Index i = 0; i < y.size(); ++i)
    jets_[static_cast<std::size_t>(i) + 1] = {y[i], y[i], {y[i], y[i]}, {low[i], high[i]}};
  program_.enclose(jets_.data(), 0.0);
}

expr::Interval SurfaceRest::rate(std::size_t surface) const {
  const expr::Interval x = program_.jet(2 * surface).rate, other = program_.jet(2 * surface + 1).rate;
  return {x.lo - other.hi, x.hi - other.lo};
}

Placement SurfaceRest::at(double t, const Vector& y, const Vector& y_dot, const Vector& scale) {
  Placement placed;
  placed.of_.resize(watches_.surface_count());
  const auto each = [&](auto&& set) {
    for (std::size_t k = 0; k < placed.of_.size(); ++k) set(placed.of_[k], k);
  };
  inputs_[0] = t;
  std::copy_n(y.data(), y.size(), inputs_.data() + 1);
  program_.evaluate(inputs_.data());
  each([&](auto& one, std::size_t k) {
    one.is_floor = watches_.switches.surfaces()[k].is_floor();
    one.difference = program_.value(2 * k) - program_.value(2 * k + 1);
  });
  const Vector size = y.cwiseAbs(), typical = size.cwiseMax(scale), change = y_dot.cwiseAbs();
  enclose(t, y, -size, size, t);
  each([&](auto& one, std::size_t k) { one.terms = largest_of(rate(k)); });
  enclose(t, y, -typical, typical, t);
  each([&](auto& one, std::size_t k) { one.typical = largest_of(rate(k)); });
  enclose(t, y, -change, change, 1.0);
  each([&](auto& one, std::size_t k) { one.rate_terms = largest_of(rate(k)); });
  enclose(t, y, y_dot, y_dot, 1.0);
  each([&](auto& one, std::size_t k) { one.rate_low = rate(k).lo, one.rate_high = rate(k).hi; });
  return placed;
}

double Placement::One::largest_rate() const { return std::max(std::abs(rate_low), std::abs(rate_high)); }

bool Placement::is_zero(std::size_t surface) const {
  const One& one = of_[surface];
  return !one.is_floor && std::abs(one.difference) <= tolerance::kAtStates * one.terms;
}

double Placement::direction(std::size_t surface) const {
  const One& one = of_[surface];
  if (!(one.largest_rate() > tolerance::kAtStates * one.rate_terms)) return 0.0;
  return one.rate_low + one.rate_high > 0.0 ? 1.0 : -1.0;
}

bool Placement::is_near(std::size_t surface, double time) const {
  const One& one = of_[surface];
  return !one.is_floor && std::abs(one.difference) <= tolerance::kRounded * one.typical + time * one.largest_rate();
}

}  // namespace vinculum::sim
