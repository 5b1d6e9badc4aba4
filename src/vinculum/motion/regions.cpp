#include "vinculum/motion/regions.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/derivative.hpp"

namespace vinculum::sim {
namespace {

// Shortest and longest distance from a surface, as multiples of typical sizes, at which the truth of a condition is
// evaluated, and the ratio of successive distances. The shortest is 1e4 times the rounding error of a state. At the
// longest, even a condition that grows with the fourth power of the distance exceeds its rounding error.
constexpr double kShortest = tolerance::kZero, kLongest = 0.01, kFurther = 10.0;
// A distance from the surface is large enough if |x − y| is at least the first factor times its rounding error, and at
// least the second factor times its value at the state that is taken to be on the surface.
constexpr double kAboveRounding = 1e3, kAboveMiss = 10.0;

}  // namespace

Regions::Regions(const Dynamics& of, double duration)
    : dynamics_(of), watches_(*of.binding()->watches), duration_(duration) {
  if (!watches_.levels) return;
  std::vector<double> fixed = of.binding().parameters;
  fixed.push_back(0.0);  // parameter `live` is false: kernels use the given sides, not the conditions
  constants_ = watches_.levels->prepare(fixed);
  input_.resize(watches_.levels->input_count());
  output_.resize(watches_.levels->output_count());
  workspace_.resize(watches_.levels->workspace_size());
}

bool Regions::is_plateau(std::size_t surface, std::span<const double> sides) {
  const Switches& switches = watches_.switches;
  const Switches::Surface& at = switches.surfaces()[surface];
  if (at.is_floor() || at.inner.empty()) return false;
  std::vector<double> values;
  std::vector<expr::Expr> symbols;
  for (const std::size_t k : at.inner) {
    values.push_back(switches.in_kernel(k, sides[k]));
    symbols.push_back(switches.surfaces()[k].side);
  }
  const auto [known, is_new] = plateaus_.try_emplace({surface, values}, false);
  if (!is_new) return known->second;
  append(symbols, watches_.stated_parameters);
  values.insert(values.end(), dynamics_.binding().parameters.begin(), dynamics_.binding().parameters.end());
  symbols.push_back(switches.symbols().front());
  values.push_back(0.0);  // parameter `live` is false: the given sides are used
  expr::Graph scratch;
  const std::vector<expr::Expr> both = expr::substitute_into(
      scratch, std::vector<expr::Expr>{watches_.level_values[2 * surface], watches_.level_values[2 * surface + 1]},
      symbols, values);
  // If x and y are the same table, x − y is not simplified to 0, because the table may have no value at an argument. So
  // the nodes are compared too.
  return known->second = both[0].node() == both[1].node() || (both[0] - both[1]).is_zero();
}

/// Evaluates x and y of all surfaces at a state, with all surfaces on these sides.
void Regions::evaluate(std::span<const double> sides, double t, const Vector& y) {
  input_[0] = t;
  std::copy_n(y.data(), y.size(), input_.data() + 1);
  for (std::size_t k = 0; k < sides.size(); ++k)
    input_[1 + static_cast<std::size_t>(y.size()) + k] = watches_.switches.in_kernel(k, sides[k]);
  watches_.levels->evaluate(input_.data(), constants_.data(), output_.data(), workspace_.data());
}

/// x − y of a surface; for a floor, x.
/// \pre `evaluate` was called
double Regions::difference(std::size_t surface) const { return output_[2 * surface] - output_[2 * surface + 1]; }

/// |x − y| of a surface; for a floor, the distance of x from the nearest whole number.
/// \pre `evaluate` was called
double Regions::miss_of(std::size_t surface) const {
  const double now = difference(surface);
  return std::abs(watches_.switches.surfaces()[surface].is_floor() ? now - std::round(now) : now);
}

Regions::Way Regions::beyond(std::size_t surface, bool upward, std::span<const double> sides, double t,
                             const Vector& y) {
  Way way{t, y, 0.0, Vector::Zero(y.size()), 0.0};
  const Vector& scale = dynamics_.scale();
  double length = 0.0, moved_t = t;
  Vector moved = y;
  const auto slope = [&](double& component, double size) {
    const double own = component, step = tolerance::kDifference * size;
    component = own + step;
    evaluate(sides, moved_t, moved);
    const double above = difference(surface);
    component = own - step;
    evaluate(sides, moved_t, moved);
    const double change = (above - difference(surface)) / (2.0 * tolerance::kDifference);  // for one typical size
    component = own;
    if (!std::isfinite(change)) return 0.0;
    length += change * change;
    return change * size;
  };
  for (Eigen::Index i = 0; i < y.size(); ++i) way.direction[i] = slope(moved[i], scale[i]);
  if (duration_ > 0.0) way.by_time = slope(moved_t, duration_);
  if (!(length > 0.0)) return way;
  evaluate(sides, t, y);
  const double size = std::abs(output_[2 * surface]) + std::abs(output_[2 * surface + 1]);
  length = std::sqrt(length);
  way.least = std::max(kAboveRounding * tolerance::kRounded * size, kAboveMiss * miss_of(surface)) / length;
  const double unit = (upward ? 1.0 : -1.0) / length;
  way.direction *= unit;
  way.by_time *= unit;
  return way;
}

/// Returns the side of a surface on which the states on the line are, at the first distance where x − y exceeds its
/// rounding error. If x − y never exceeds it, its sign at the end of the line decides. If x = y there, the side is the
/// one that the operation assigns to equality.
double Regions::side_along(const Way& way, std::size_t surface, std::span<const double> sides) {
  const Switches::Surface& at = watches_.switches.surfaces()[surface];
  if (is_plateau(surface, sides)) return Switches::kEqual;
  double now = 0.0;
  for (double part = kShortest; part <= kLongest; part *= kFurther) {
    const double reach = std::max(part, way.least);
    evaluate(sides, way.t + reach * way.by_time, way.y + reach * way.direction);
    now = difference(surface);
    const double size = std::abs(output_[2 * surface]) + std::abs(output_[2 * surface + 1]);
    const double away = at.is_floor() ? now - std::round(now) : now;
    if (std::abs(away) > tolerance::kRounded * size) break;
  }
  // A table has no value (NaN) beyond its last point, and rounding errors may lead there. Then the side is unchanged.
  if (std::isnan(now)) return sides[surface];
  if (at.is_floor()) return std::isfinite(now) ? std::floor(now) : sides[surface];
  if (now > 0.0) return 1.0;
  if (now < 0.0) return -1.0;
  if (at.side_of_equals != 0.0) return at.side_of_equals;
  return sides[surface] == Switches::kEqual ? 1.0 : sides[surface];
}

void Regions::complete(std::vector<double>& sides, std::span<const std::size_t> changed, const Way& way) {
  if (!are_nested()) return;
  std::vector<std::size_t> all(changed.begin(), changed.end());
  for (std::size_t k = 0; k < sides.size(); ++k) {
    if (std::ranges::find(changed, k) != changed.end() || !watches_.switches.holds_any(k, all)) continue;
    const double side = side_along(way, k, sides);
    if (side != sides[k]) all.push_back(k);
    sides[k] = side;
  }
}

void Regions::complete_beyond(std::vector<double>& sides, std::size_t surface, bool upward, double t, const Vector& y) {
  if (!are_nested()) return;
  complete(sides, std::span(&surface, 1), beyond(surface, upward, sides, t, y));
}

}  // namespace vinculum::sim
