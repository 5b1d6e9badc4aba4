#include "vinculum/hybrid/constraint_impulse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/watches.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/hybrid/event_source.hpp"
#include "vinculum/model/joint.hpp"
#include "vinculum/motion/equations_of.hpp"
#include "vinculum/motion/jumps.hpp"
#include "vinculum/solve/pivoted/constrained_solve.hpp"

namespace vinculum::sim {
namespace {

// The gap of a constraint counts as closed if it is at most this fraction of the typical size of its relation, or at
// most this number of tolerances of the run times that size, whichever is larger.
constexpr double kClosed = tolerance::kHalfDigits, kClosedPerTolerance = 100.0;
// A gradient that vanishes at the present state is evaluated at this number of states around it, at this distance
// relative to typical sizes. There it is expected to have its typical size.
constexpr int kNeighbors = 4;
constexpr double kDistance = 0.05;

/// x and y of every surface as stated (floor: x and 0).
std::vector<double> surfaces_at(const Binding& bound, double t, const Vector& y) {
  const codegen::Kernel& kernel = *bound->watches->as_stated;
  std::vector<double> input(kernel.input_count()), output(kernel.output_count()), workspace(kernel.workspace_size());
  input[0] = t;
  std::copy_n(y.data(), y.size(), input.data() + 1);
  kernel.evaluate(input.data(), kernel.prepare(bound.parameters).data(), output.data(), workspace.data());
  return output;
}

/// [surfaces] x − y of every surface as stated; x of a floor.
Vector differences_at(const Binding& bound, double t, const Vector& y) {
  const std::vector<double> of = surfaces_at(bound, t, y);
  Vector differences(static_cast<Eigen::Index>(of.size() / 2));
  for (Eigen::Index k = 0; k < differences.size(); ++k)
    differences[k] = of[static_cast<std::size_t>(2 * k)] - of[static_cast<std::size_t>(2 * k + 1)];
  return differences;
}

std::vector<std::size_t> surfaces_of_condition(const Binding& bound, int row) {
  const expr::Expr acts = nth(bound->system->rows, row).acts;
  return acts.is_valid() ? bound->watches->switches.surfaces_in({&acts, 1}) : std::vector<std::size_t>();
}

bool is_of_time_alone(const Watches& watches, const Switches::Surface& surface) {
  const std::span<const expr::Expr> state = std::span(watches.known).subspan(1);
  return !expr::depends_on(surface.x, state) && (surface.is_floor() || !expr::depends_on(surface.y, state));
}

/// [switched] Typical lengths Σ_j |A_j| s_j of the gradients A of the rows in `Structure::switched`, whether they act
/// or not; s_j are the typical speeds.
Vector lengths_of_switched(const Dynamics& dynamics, const BoundKernel& rows, double t, const Vector& y) {
  const Binding& bound = dynamics.binding();
  std::vector<double> output(rows.kernel->output_count()), workspace(rows.kernel->workspace_size());
  rows.evaluate_at(t, y.data(), output.data(), workspace.data());
  const std::size_t count = bound->switched.size(), columns = output.size() / count;
  const auto scale = dynamics.scale().segment(bound->nq(), bound->nu());
  Vector lengths(static_cast<Eigen::Index>(count));
  for (std::size_t k = 0; k < count; ++k)
    lengths[static_cast<Eigen::Index>(k)] =
        Eigen::Map<const Vector>(output.data() + k * columns + 3, scale.size()).cwiseAbs().dot(scale);
  return lengths;
}

/// [switched] Whether the gradient of each row vanishes at this state, but not at states around it.
std::vector<char> vanishing_rows(Dynamics& dynamics, const Mode& mode, double t, const Vector& y) {
  const BoundKernel& rows = dynamics.binding_of(mode)->switched_rows;
  const Vector here = lengths_of_switched(dynamics, rows, t, y);
  Vector typical = here;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int i = 0; i < kNeighbors; ++i) {
    Vector near = y;
    for (Eigen::Index k = 0; k < y.size(); ++k) near[k] += kDistance * dynamics.scale()[k] * uniform(random);
    typical = typical.cwiseMax(lengths_of_switched(dynamics, rows, t, near));
  }
  std::vector<char> vanish;
  for (Eigen::Index k = 0; k < here.size(); ++k) vanish.push_back(here[k] < tolerance::kAtStates * typical[k] ? 1 : 0);
  return vanish;
}

/// [nc] Whether the impulse of each row is unique even if rows are redundant.
std::vector<char> unique_rows(Dynamics& dynamics, const Mode& mode, double t, const Vector& y) {
  Matrices m;
  EquationsOf(dynamics).matrices_as_they_are(mode, t, y.data(), m);
  solve::ConstrainedSolve rows(static_cast<int>(m.M.rows()), static_cast<int>(m.A.rows()));
  rows.set_certainty(m.certainty);
  rows.set_compliance(m.compliance);
  if (!rows.factor(m.M, m.A)) return std::vector<char>(static_cast<std::size_t>(m.A.rows()), 0);
  return rows.unique();
}

/// Change of x − y of a surface during a time `length` [s] of the motion in a mode, from one step of second order.
double way_along(Dynamics& dynamics, const Mode& mode, std::size_t surface, double t, const Vector& y, double length) {
  Vector now = Vector::Zero(y.size()), then = now;
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (!dynamics.derivative(mode, t, y.data(), now.data())) return kNone;
  const Vector ahead = y + length * now;
  if (!dynamics.derivative(mode, t + length, ahead.data(), then.data())) return kNone;
  const Vector later = y + 0.5 * length * (now + then);
  const auto k = static_cast<Eigen::Index>(surface);
  const Binding& bound = dynamics.binding();
  return differences_at(bound, t + length, later)[k] - differences_at(bound, t, y)[k];
}

}  // namespace

Outcome<std::optional<Impulse>> meet_constraints(Dynamics& dynamics, Mode& mode, double t, Vector& y) {
  const Binding& bound = dynamics.binding();
  const Vector y_before = y;
  const bool sticks = std::ranges::find(mode.friction.sticks, 1) != mode.friction.sticks.end();
  Mode sliding = mode;
  if (sticks) {
    FrictionState friction = mode.friction;
    std::ranges::fill(friction.sticks, char{0});
    set_friction(sliding, friction);
  }
  Vector moved = y;
  if (auto done = dynamics.project(sticks ? sliding : mode, t, moved.data()); !done) return fail(done.error());
  const Vector change = (moved - y).segment(bound->nq(), bound->nu());
  const Vector size = dynamics.scale().segment(bound->nq(), bound->nu());
  const bool jumps = change.cwiseQuotient(size).lpNorm<Eigen::Infinity>() > tolerance::kAtStates;
  if (jumps || !sticks) y = moved;
  if (!jumps) return std::nullopt;
  if (auto unknown = direction_of_jump(dynamics, sliding, t, y_before, y)) return fail(*std::move(unknown));
  auto impulses = impulses_of_jump(dynamics, sliding, t, y, y_before.segment(bound->nq(), bound->nu()));
  if (!impulses) return fail(std::move(impulses.error()));
  return Impulse{t, *std::move(impulses), unique_rows(dynamics, sliding, t, y), {}, {}, y};
}

std::vector<char> acting_as_stated(const Binding& bound, double t, const Vector& y) {
  std::vector<char> acts(static_cast<std::size_t>(bound->nc()), 1);
  if (bound->switched.empty()) return acts;
  const BoundKernel& rows = bound.switched_rows;
  std::vector<double> output(rows.kernel->output_count()), workspace(rows.kernel->workspace_size());
  rows.evaluate_at(t, y.data(), output.data(), workspace.data());
  const std::size_t columns = output.size() / bound->switched.size();
  for (std::size_t k = 0; k < bound->switched.size(); ++k)
    nth(acts, bound->switched[k]) = output[k * columns] != 0.0 ? 1 : 0;
  return acts;
}

std::optional<Failure> cannot_begin(Dynamics& dynamics, const Mode& mode, double t, const Vector& y,
                                    const std::vector<char>& was, const std::vector<char>& acts, double tolerance) {
  if (was == acts) return std::nullopt;
  const Binding& bound = dynamics.binding();
  const Vector gaps = gaps_of_switched(dynamics, mode, t, y);
  const std::vector<char> vanish = vanishing_rows(dynamics, mode, t, y);
  Failure failure;
  failure.t = t;
  for (std::size_t k = 0; k < bound->switched.size(); ++k) {
    const int row = bound->switched[k];
    const double gap = gaps[static_cast<Eigen::Index>(k)];
    if (nth(acts, row) == 0 || nth(was, row) != 0) continue;
    failure.rows = {row};
    if (nth(bound->system->rows, row).level == model::Level::kPosition) {
      const auto& positions = bound->position_rows;
      const auto size = mode.position_size[std::ranges::find(positions, row) - positions.begin()];
      if (std::abs(gap) > std::max(kClosed, kClosedPerTolerance * tolerance) * size) {
        failure.kind = FailureKind::kInconsistent;
        const std::string unit = bound->row_unit(row, model::Level::kPosition);
        const model::JointInfo* joint =
            model::find_joint(bound->model->constraint(nth(bound->system->rows, row).constraint).joint);
        failure.message = fmt::format(
            "constraint `{}` begins to act here with an open gap of {:.3g}{}: no motion of finite velocity closes it "
            "at once",
            bound->row_name(row), gap, unit.empty() && joint != nullptr ? " (a component of a unit vector)" : unit);
        failure.advice = "let `when` become true where the gap is 0";
        if (joint != nullptr)
          failure.advice += fmt::format(
              "; the rows of a `{}` joint: {}; if only velocities are to become equal, state them as a constraint "
              "in place of the joint, such as `omega(B) = omega(A)`",
              joint->name, joint->meaning);
        return failure;
      }
    }
    if (vanish[k] == 0) continue;
    failure.kind = FailureKind::kNotUnique;
    failure.message = fmt::format(
        "constraint `{}` begins to act here, where its gradient is 0: nothing determines its impulse and its force",
        bound->row_name(row));
    failure.advice = "let `when` become true at another place";
    return failure;
  }
  return std::nullopt;
}

std::vector<double> conditions_after_set(const Binding& bound, const std::vector<double>& sides, double t,
                                         const Vector& y_before, const Vector& y) {
  std::vector<double> decided(sides.size(), std::numeric_limits<double>::quiet_NaN());
  if (sides.empty() || bound->switched.empty()) return {};
  const Watches& watches = *bound->watches;
  const std::vector<double> stated = surfaces_at(bound, t, y);
  const Vector now = differences_at(bound, t, y), before = differences_at(bound, t, y_before);
  for (const int row : bound->switched) {
    for (const std::size_t k : surfaces_of_condition(bound, row)) {
      const Switches::Surface& surface = watches.switches.surfaces()[k];
      const auto at = static_cast<Eigen::Index>(k);
      const double size = std::max(std::abs(stated[2 * k]), std::abs(stated[2 * k + 1]));
      const bool is_set =
          std::abs(now[at] - before[at]) > tolerance::kAtStates * std::max(std::abs(now[at]), std::abs(before[at]));
      const bool is_met = std::abs(now[at]) <= kLastPlaces * size && is_of_time_alone(watches, surface);
      if (std::isnan(now[at]) || (!is_set && !is_met)) continue;
      if (surface.is_floor())
        decided[k] = std::floor(now[at]);
      else if (is_met || now[at] == 0.0)
        decided[k] = surface.side_of_equals != 0.0 ? surface.side_of_equals : sides[k];
      else
        decided[k] = now[at] > 0.0 ? 1.0 : -1.0;
    }
  }
  return decided;
}

std::optional<HeldSurface> held_by_own_row(Dynamics& dynamics, const Mode& before, const Vector& y_before,
                                           const Mode& mode, const std::vector<double>& sides, double t,
                                           const Vector& y, double length) {
  const Binding& bound = dynamics.binding();
  const std::vector<char> was = acting_rows(dynamics, before), acts = acting_rows(dynamics, mode);
  for (const int row : bound->switched) {
    if (nth(was, row) != 0 || nth(acts, row) == 0) continue;
    for (const std::size_t k : surfaces_of_condition(bound, row)) {
      if (bound->watches->switches.surfaces()[k].is_floor()) continue;
      const double free = way_along(dynamics, before, k, t, y_before, length);
      const double now = std::abs(differences_at(bound, t, y)[static_cast<Eigen::Index>(k)]);
      if (!(now <= std::abs(free))) continue;
      const double held = way_along(dynamics, mode, k, t, y, length);
      if (!(std::abs(held) <= tolerance::kAtStates * std::abs(free))) continue;
      Mode equal = mode;
      std::vector<double> of_equals = sides;
      of_equals[k] = Switches::kEqual;
      set_sides(equal, bound, of_equals);
      return HeldSurface{k, row, nth(acting_rows(dynamics, equal), row) == 0};
    }
  }
  return std::nullopt;
}

Failure false_where_it_holds(const Binding& bound, const HeldSurface& held, double t) {
  Failure failure;
  failure.kind = FailureKind::kInconsistent;
  failure.t = t;
  failure.rows = {held.row};
  failure.message = fmt::format(
      "constraint `{}` begins to act here, and where it holds, its condition `{}` is false, so it can neither act nor "
      "not act. Write `<=` or `>=` for a constraint that remains, or let events set a state in the condition",
      bound->row_name(held.row), bound->watches->switches.surfaces()[held.surface].text);
  return failure;
}

}  // namespace vinculum::sim
