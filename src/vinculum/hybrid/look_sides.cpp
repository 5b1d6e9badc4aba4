#include <algorithm>
#include <cmath>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/hybrid/look.hpp"

/// Decides on which sides of the surfaces a state lies.
namespace vinculum::sim {
void Look::take(std::vector<double> sides) {
  sides_ = std::move(sides);
  const Binding& bound = run_.dynamics.binding();
  std::vector<double> fixed = bound.parameters;
  const std::vector<double> more = sides_.empty() ? watches_.switches.live_values() : watches_.switches.values(sides_);
  if (surfaces_ > 0) fixed.insert(fixed.end(), more.begin(), more.end());
  program_.bind(fixed);
  program_.forget();
  if (is_left_out_.size() != sides_.size()) is_left_out_.assign(sides_.size(), 0);
  for (char& is_out : is_left_out_) is_out = is_out == kWithoutValue ? kWithoutValue : char{0};
  const std::vector<std::size_t> held = watches_.switches.between(sides_);
  for (std::size_t k = 0; k < sides_.size(); ++k) {
    const Switches::Surface& surface = watches_.switches.surfaces()[k];
    const bool is_level = !surface.is_floor() && sides_[k] == Switches::kEqual;
    if (surface.is_between(sides_[k]) || is_level || watches_.switches.holds_any(k, held)) is_left_out_[k] = 1;
  }
}

std::vector<double> Look::sides_at(double t, const Vector& y) {
  std::vector<double> sides(surfaces_, 1.0);
  Vector y_dot = Vector::Zero(ny_);
  const bool moves = static_cast<bool>(run_.dynamics.derivative(run_.mode, t, y.data(), y_dot.data()));
  // A surface may lie in a branch of another one, so this takes up to one pass per surface.
  for (std::size_t pass = 0; pass <= surfaces_; ++pass) {
    const std::vector<double> before = sides;
    take(sides);
    program_.evaluate_at(t, y);
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
      if (regions_.is_plateau(k, sides)) {
        sides[k] = Switches::kEqual;
        continue;
      }
      const double of_x = program_.jet(x_of(k)).rate.lo, of_y = program_.jet(x_of(k) + 1).rate.lo, rate = of_x - of_y;
      const bool has_rate = std::abs(rate) > tolerance::kRounded * (std::abs(of_x) + std::abs(of_y));
      const double ahead = has_rate ? rate : watches_.switches.surfaces()[k].side_of_equals;
      sides[k] = x > y_value || (x == y_value && !(ahead < 0.0)) ? 1.0 : -1.0;
    }
    if (sides == before) break;
  }
  take({});
  return sides;
}

std::vector<double> Look::sides_defined_at(double t, const Vector& y) {
  std::vector<double> sides = sides_;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    if (is_left_out_[k] != kWithoutValue) continue;
    const double now = program_.difference_at(k, t, y);
    if (std::isnan(now)) continue;
    is_left_out_[k] = 0;
    sides[k] = watches_.switches.surfaces()[k].is_floor() ? std::floor(now) : now > 0.0 ? 1.0 : -1.0;
  }
  return sides;
}

std::vector<std::size_t> Look::met_at(double t, const Vector& y) {
  std::vector<std::size_t> met;
  program_.evaluate_at(t, y);
  for (std::size_t k = 0; k < surfaces_; ++k)
    if (program_.is_used(x_of(k)) && !watches_.switches.surfaces()[k].is_floor() && program_.difference(k) == 0.0)
      met.push_back(k);
  return met;
}

std::vector<double> Look::sides_behind(std::size_t surface, bool upward, double t, const Vector& y) {
  std::vector<double> sides = sides_;
  const bool is_floor = watches_.switches.surfaces()[surface].is_floor();
  sides[surface] = !is_floor ? -sides[surface] : upward ? sides[surface] + 1.0 : sides[surface] - 1.0;
  regions_.complete_beyond(sides, surface, upward, t, y);
  join_behind_branches(sides, t, y);
  return sides;
}

/// Surfaces in a branch that is taken on these sides but was not taken before have not been examined so far. They get
/// the sides on which the state is.
void Look::join_behind_branches(std::vector<double>& sides, double t, const Vector& y) {
  const std::vector<double> in_force = sides_;
  std::vector<char> is_known(surfaces_, 0);
  for (std::size_t k = 0; k < surfaces_; ++k) is_known[k] = program_.is_used(x_of(k)) ? 1 : 0;
  if (std::ranges::find(is_known, 0) == is_known.end()) return;
  // A surface may lie in a branch of another one, so this takes up to one pass per surface.
  for (std::size_t pass = 0; pass < surfaces_; ++pass) {
    take(sides);
    program_.evaluate_at(t, y);
    std::vector<std::size_t> joined;
    for (std::size_t k = 0; k < surfaces_; ++k) {
      if (is_known[k] != 0 || !program_.is_used(x_of(k))) continue;
      is_known[k] = 1;
      const double now = program_.difference(k);
      if (std::isnan(now)) continue;
      const double side = watches_.switches.surfaces()[k].is_floor() ? std::floor(now)
                          : regions_.is_plateau(k, sides)            ? Switches::kEqual
                          : now != 0.0                               ? (now > 0.0 ? 1.0 : -1.0)
                                                                     : sides[k];
      if (side != sides[k]) joined.push_back(k);
      sides[k] = side;
    }
    regions_.complete(sides, joined, {t, y, 0.0, Vector::Zero(y.size()), 0.0});
    if (joined.empty()) break;
  }
  take(in_force);
}

/// If the motion crosses a surface because it crosses an inner one, the result is the inner surface; the others change
/// with it.
/// \pre `enclose` was called for a part that ends beyond the surface.
Seen Look::innermost(const integrate::Step& step, Seen seen) {
  const double t0 = step.t_begin(), h = step.t_end() - t0;
  for (const std::size_t k : watches_.switches.surfaces()[seen.surface].inner) {
    if (!is_looked_at(k)) continue;
    const bool is_floor = watches_.switches.surfaces()[k].is_floor();
    const auto [below, above] = margins(k);
    for (const bool is_above : {false, true}) {
      const expr::Jet& margin = is_above ? above : below;
      if (!(margin.rate.hi < 0.0) || !std::isfinite(margin.rate.lo) || (is_above && !is_floor)) continue;
      const bool upward = is_floor ? is_above : sides_[k] < 0.0;
      integrate::DensePolynomial::evaluate(polynomial_.coefficients(), std::clamp((seen.t - t0) / h, 0.0, 1.0), y_);
      if (std::abs(margin_at(k, upward, seen.t, y_)) > -margin.rate.lo * tolerance::kSameEvent * h) continue;
      seen.surface = k;
      seen.upward = upward;
      seen.of = watches_.switches.surfaces()[k].text;
      return seen;
    }
  }
  return seen;
}

}  // namespace vinculum::sim
