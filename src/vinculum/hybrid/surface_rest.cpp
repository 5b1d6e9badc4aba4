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

expr::Interval SurfaceRest::rate_within(std::size_t surface, double t, const Vector& y, const Vector& low,
                                        const Vector& high, double t_rate) {
  jets_[0] = {t, t, {t, t}, {t_rate, t_rate}};
  for (Eigen::Index i = 0; i < y.size(); ++i)
    jets_[static_cast<std::size_t>(i) + 1] = {y[i], y[i], {y[i], y[i]}, {low[i], high[i]}};
  program_.enclose(jets_.data(), 0.0);
  const expr::Interval x = program_.jet(2 * surface).rate, other = program_.jet(2 * surface + 1).rate;
  return {x.lo - other.hi, x.hi - other.lo};
}

double SurfaceRest::difference_at(std::size_t surface, double t, const Vector& y) {
  inputs_[0] = t;
  std::copy_n(y.data(), y.size(), inputs_.data() + 1);
  program_.evaluate(inputs_.data());
  return program_.value(2 * surface) - program_.value(2 * surface + 1);
}

bool SurfaceRest::is_zero_at(std::size_t surface, double t, const Vector& y) {
  if (watches_.switches.surfaces()[surface].is_floor()) return false;
  const double difference = difference_at(surface, t, y);
  const Vector place = y.cwiseAbs();  // Σ |∂(x − y)/∂y_i| |y_i|, the size of the terms
  return std::abs(difference) <= tolerance::kAtStates * largest_of(rate_within(surface, t, y, -place, place, t));
}

bool SurfaceRest::rests_on(std::size_t surface, double t, const Vector& y, const Vector& y_dot) {
  return is_zero_at(surface, t, y) && direction(surface, t, y, y_dot) == 0.0;
}

double SurfaceRest::direction(std::size_t surface, double t, const Vector& y, const Vector& y_dot) {
  const Vector change = y_dot.cwiseAbs();
  const expr::Interval rate = rate_within(surface, t, y, y_dot, y_dot, 1.0);
  const double terms = largest_of(rate_within(surface, t, y, -change, change, 1.0));
  if (!(largest_of(rate) > tolerance::kAtStates * terms)) return 0.0;
  return rate.lo + rate.hi > 0.0 ? 1.0 : -1.0;
}

bool SurfaceRest::is_near(std::size_t surface, double t, const Vector& y, const Vector& y_dot, const Closeness& close) {
  if (watches_.switches.surfaces()[surface].is_floor()) return false;
  const Vector place = y.cwiseAbs().cwiseMax(close.scale);
  const double rounding = tolerance::kRounded * largest_of(rate_within(surface, t, y, -place, place, t));
  const double way = close.time * largest_of(rate_within(surface, t, y, y_dot, y_dot, 1.0));
  return std::abs(difference_at(surface, t, y)) <= rounding + way;
}

}  // namespace vinculum::sim
