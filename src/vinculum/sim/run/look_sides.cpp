#include <algorithm>
#include <cmath>

#include "vinculum/sim/run/look.hpp"

/// On which sides of the surfaces a state lies.
namespace vinculum::sim {

void Look::take(std::vector<double> sides) {
  sides_ = std::move(sides);
  const CompiledModel& compiled = dynamics_.compiled();
  std::vector<double> fixed = compiled.parameters;
  const std::vector<double> more = sides_.empty() ? watches_.switches.live_values() : watches_.switches.values(sides_);
  if (surfaces_ > 0) fixed.insert(fixed.end(), more.begin(), more.end());
  program_.bind(fixed);
}

std::vector<double> Look::sides_at(double t, const Vector& y) {
  std::vector<double> sides(surfaces_, 1.0);
  Vector y_dot = Vector::Zero(ny_);
  const bool moves = static_cast<bool>(dynamics_.look_at_derivative(t, y.data(), y_dot.data()));
  // A surface may lie behind another: a pass for each.
  for (std::size_t pass = 0; pass <= surfaces_; ++pass) {
    const std::vector<double> before = sides;
    take(sides);
    evaluate(t, y);
    jets_[0] = {t, t, {t, t}, {1.0, 1.0}};
    for (int i = 0; i < ny_; ++i) {
      const double rate = moves ? y_dot[i] : 0.0;
      jets_[static_cast<std::size_t>(i) + 1] = {y[i], y[i], {y[i], y[i]}, {rate, rate}};
    }
    program_.enclose(jets_.data(), 0.0);
    for (std::size_t k = 0; k < surfaces_; ++k) {
      if (!program_.is_used(x_of(k))) continue;
      const double x = program_.value(x_of(k)), y_value = program_.value(x_of(k) + 1);
      if (watches_.switches.surfaces()[k].is_floor()) {
        sides[k] = std::floor(x);
        continue;
      }
      const double rate = program_.jet(x_of(k)).rate.lo - program_.jet(x_of(k) + 1).rate.lo;
      const double ahead = rate != 0.0 ? rate : watches_.switches.surfaces()[k].side_of_equals;
      sides[k] = x > y_value || (x == y_value && !(ahead < 0.0)) ? 1.0 : -1.0;
    }
    if (sides == before) break;
  }
  take({});
  return sides;
}

std::vector<std::size_t> Look::met_at(double t, const Vector& y) {
  std::vector<std::size_t> met;
  evaluate(t, y);
  for (std::size_t k = 0; k < surfaces_; ++k)
    if (program_.is_used(x_of(k)) && !watches_.switches.surfaces()[k].is_floor() && difference(k) == 0.0)
      met.push_back(k);
  return met;
}

/// x − y of a surface, of floor x.   \pre `evaluate`
double Look::difference(std::size_t surface) const {
  const double x = program_.value(x_of(surface));
  return watches_.switches.surfaces()[surface].is_floor() ? x : x - program_.value(x_of(surface) + 1);
}

std::vector<double> Look::sides_behind(std::size_t surface, bool upward, double t, const Vector& y) {
  const std::vector<double> in_force = sides_;
  std::vector<double> sides = in_force, before(surfaces_);
  const bool is_floor = watches_.switches.surfaces()[surface].is_floor();
  sides[surface] = !is_floor ? -sides[surface] : upward ? sides[surface] + 1.0 : sides[surface] - 1.0;
  evaluate(t, y);
  for (std::size_t k = 0; k < surfaces_; ++k) before[k] = difference(k);
  // One may jump with another that does: a pass for each.
  for (std::size_t pass = 0; pass <= surfaces_; ++pass) {
    const std::vector<double> last = sides;
    take(sides);
    evaluate(t, y);
    for (std::size_t k = 0; k < surfaces_; ++k) {
      const double now = difference(k);
      if (k == surface || !program_.is_used(x_of(k)) || now == before[k] || std::isnan(now)) continue;
      if (watches_.switches.surfaces()[k].is_floor())
        sides[k] = std::floor(now);
      else if (now != 0.0)
        sides[k] = now > 0.0 ? 1.0 : -1.0;
    }
    if (sides == last) break;
  }
  take(in_force);
  return sides;
}

}  // namespace vinculum::sim
