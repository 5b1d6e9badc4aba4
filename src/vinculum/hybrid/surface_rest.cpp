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

bool SurfaceRest::is_zero_at(std::size_t surface, double t, const Vector& y) {
  if (watches_.switches.surfaces()[surface].is_floor()) return false;
  inputs_[0] = t;
  std::copy_n(y.data(), y.size(), inputs_.data() + 1);
  program_.evaluate(inputs_.data());
  const double difference = program_.value(2 * surface) - program_.value(2 * surface + 1);
  const Vector place = y.cwiseAbs();  // Σ |∂(x − y)/∂y_i| |y_i|: what its terms add up to in size
  return std::abs(difference) <= tolerance::kAtStates * largest_of(rate_within(surface, t, y, -place, place, t));
}

bool SurfaceRest::rests_on(std::size_t surface, double t, const Vector& y, const Vector& y_dot) {
  if (!is_zero_at(surface, t, y)) return false;
  const Vector change = y_dot.cwiseAbs();
  return largest_of(rate_within(surface, t, y, y_dot, y_dot, 1.0)) <=
         tolerance::kAtStates * largest_of(rate_within(surface, t, y, -change, change, 1.0));
}

}  // namespace vinculum::sim
