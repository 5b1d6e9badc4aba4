#include "vinculum/run/stop_reasons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/run/spectrum.hpp"

namespace vinculum::sim {
namespace {

/// Whether the acceleration of a speed stays the same if all coordinates change. Then it is not caused by a position at
/// which a force is singular.
bool is_driven_by_speeds(Dynamics& dynamics, const Mode& mode, double t, Vector y, int speed, double rate) {
  const int nq = dynamics.binding()->nq();
  y.head(nq).array() += 0.1 * (1.0 + y.head(nq).array().abs());
  Vector rates = Vector::Zero(y.size());
  return dynamics.derivative(mode, t, y.data(), rates.data()) &&
         std::fabs(rates[speed] - rate) <= tolerance::kConditioned * std::fabs(rate);
}

/// Returns the coordinate, speed or state that, at its rate at the last step, would double within 10⁴ times the
/// resolution of time. A function with a pole of any order, or a logarithm, has such a rate. A coordinate that reaches
/// a singular force at a finite position (x = 1 − sqrt(t* − t)) does not: its rate grows, but its value does not. So a
/// speed is returned only if no coordinate or state qualifies and if its acceleration does not depend on the position.
/// Test: src/vinculum/api/escape_test.cpp.
std::optional<int> escaping(Dynamics& dynamics, const RunState& at, ConstVector beside, double t_end, double t) {
  constexpr double kResolutions = 1e4;
  const Binding& bound = dynamics.binding();
  const Vector& y = at.y_before;
  Vector rates = Vector::Zero(y.size());
  if (y.size() != at.y.size() || !dynamics.derivative(at.mode, at.t_before, y.data(), rates.data()))
    return std::nullopt;
  const double time = kResolutions * tolerance::kEqual * std::max(std::fabs(t), tolerance::kBeside * t_end);
  std::optional<int> fastest, fastest_speed;
  double largest = 1.0, largest_of_speeds = 1.0;
  for (int i = 0; i < y.size(); ++i) {
    const bool is_speed = i >= bound->nq() && i < bound->nq() + bound->nu();
    const double size = std::fabs(y[i]), growth = time * rates[i] / y[i];
    if (!(size > beside[i]) || !(growth >= (is_speed ? largest_of_speeds : largest))) continue;
    if (is_speed && !is_driven_by_speeds(dynamics, at.mode, at.t_before, y, i, rates[i])) continue;
    (is_speed ? largest_of_speeds : largest) = growth;
    (is_speed ? fastest_speed : fastest) = i;
  }
  return fastest ? fastest : fastest_speed;
}

}  // namespace

void describe_stop(Dynamics& dynamics, const RunState& at, ConstVector beside, double t_end, Failure& failure) {
  if (failure.kind != FailureKind::kStepTooSmall) return;
  const Binding& bound = dynamics.binding();
  if (const std::optional<int> place = escaping(dynamics, at, beside, t_end, failure.t)) {
    failure.message =
        fmt::format("`{}` grows without bound (finite escape time); the step size fell below the resolution of time",
                    component_name(bound, *place));
    failure.advice =
        "end the run before this time, or look for a load that grows faster than the motion: a power with the wrong "
        "sign, a damping that drives";
    return;
  }
  if (failure.coordinates.empty()) return;
  failure.message = fmt::format(
      "the step size fell below the resolution of time; `{}` has the largest error, {:.3g} of its tolerance",
      component_name(bound, failure.coordinates.front()), failure.size);
}

}  // namespace vinculum::sim
