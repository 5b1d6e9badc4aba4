#include "vinculum/hybrid/event_actions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "vinculum/compiled/switch_places.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/hybrid/constraint_impulse.hpp"
#include "vinculum/hybrid/friction_state.hpp"
#include "vinculum/motion/jumps.hpp"

namespace vinculum::sim {

EventActions::EventActions(const Watched& run)
    : dynamics_(run.dynamics), tolerance_(run.tolerance), contacts_(run.dynamics, run.duration) {
  std::size_t next = 0;
  for (const model::Event& event : events()) {
    first_.push_back(next);
    next += 2 + event.actions.size();
  }
  if (!has_any()) return;
  const codegen::Kernel& kernel = *dynamics_.binding().events.kernel;
  output_.resize(kernel.output_count());
  workspace_.resize(kernel.workspace_size());
  zeros_.resize(kernel.input_count(), 0.0);
}

void EventActions::evaluate(const Mode& mode, double t, const double* y) {
  dynamics_.binding_of(mode)->events.evaluate_at(t, y, output_.data(), workspace_.data());
}

std::vector<char> EventActions::truths(const Mode& mode) {
  std::vector<char> truths;
  if (!has_any()) return truths;
  evaluate(mode, 0.0, zeros_.data());  // in a given mode the truths depend on neither time nor state
  for (const std::size_t column : first_) truths.push_back(output_[column] != 0.0 ? 1 : 0);
  return truths;
}

std::vector<double> EventActions::times(const Mode& mode) {
  std::vector<double> times;
  if (!has_any()) return times;
  evaluate(mode, 0.0, zeros_.data());  // the times depend on parameters only
  for (const std::size_t column : first_) times.push_back(output_[column + 1]);
  return times;
}

std::vector<std::size_t> EventActions::caused_by(const std::vector<char>& was, const std::vector<char>& is) const {
  using Trigger = model::Event::Trigger;
  std::vector<std::size_t> caused;
  for (std::size_t i = 0; i < was.size(); ++i) {
    const Trigger trigger = events()[i].trigger;
    if (events()[i].is_timed() || was[i] == is[i]) continue;
    if (trigger == Trigger::kChanges || (trigger == Trigger::kBecomesTrue) == (is[i] != 0)) caused.push_back(i);
  }
  return caused;
}

Failure EventActions::failure_of(std::size_t event, FailureKind kind, double t, std::string message) {
  Failure failure;
  failure.kind = kind;
  failure.t = t;
  failure.message = std::move(message);
  failure.statements = {{StatementId::Kind::kEvent, static_cast<int>(event)}};
  return failure;
}

bool EventActions::open_contacts(const Transition& before, Transition& to) {
  if (!contacts_.has_any()) return false;
  Transition opened = before;
  Mode in = before.mode;
  const auto opens = contacts_.open_first(in, opened);
  if (!opens || !*opens) return false;
  to = std::move(opened);
  return true;
}

Failure EventActions::ending(std::size_t event, double t) const {
  return events()[event].terminates
             ? failure_of(event, FailureKind::kTerminated, t, "the condition of `terminate when` is true")
             : failure_of(event, FailureKind::kEvent, t, fmt::format("event `{}` ends the run", events()[event].name));
}

Failure EventActions::failure_on_plateau(std::size_t event, double t) const {
  Failure failure = failure_of(event, FailureKind::kInconsistent, t,
                               fmt::format("the expression of event `{}` is 0 over an interval from here on: it has no "
                                           "instant at which it passes 0",
                                           events()[event].name));
  failure.advice = "let the event be `x - a = 0` where the expression has `max(x - a, 0)`";
  return failure;
}

const std::string& EventActions::variable(const model::EventAction& action) const {
  const model::Model& model = *dynamics_.binding()->model;
  return action.kind == model::EventAction::Kind::kSetState ? model.states[action.index].name
                                                            : model.speeds[action.index].name;
}

std::optional<Failure> EventActions::contradiction(std::span<const std::size_t> happened, double t) const {
  std::map<std::pair<model::EventAction::Kind, std::uint32_t>, std::size_t> set_by;
  for (const std::size_t i : happened) {
    for (const model::EventAction& action : events()[i].actions) {
      if (!action.value.is_valid()) continue;
      const auto [before, is_new] = set_by.try_emplace({action.kind, action.index}, i);
      if (is_new) continue;
      const std::size_t first = before->second;
      Failure failure = failure_of(first, FailureKind::kInconsistent, t,
                                   fmt::format("events `{}` and `{}` set `{}` at the same instant",
                                               events()[first].name, events()[i].name, variable(action)));
      failure.statements.push_back({StatementId::Kind::kEvent, static_cast<int>(i)});
      failure.advice =
          fmt::format("let the events happen at different instants, or set `{}` in one event only", variable(action));
      return failure;
    }
  }
  return std::nullopt;
}

std::optional<Failure> EventActions::infinity(std::span<const std::size_t> happened, double t) const {
  for (const std::size_t i : happened) {
    const model::Event& event = events()[i];
    for (std::size_t k = 0; k < event.actions.size(); ++k) {
      if (!event.actions[k].value.is_valid() || std::isfinite(output_[first_[i] + 2 + k])) continue;
      const std::string& name = variable(event.actions[k]);
      return failure_of(i, FailureKind::kNonFinite, t,
                        event.is_sample()
                            ? fmt::format("the sample of state `{}` is not finite", name)
                            : fmt::format("the value that event `{}` gives to `{}` is not finite", event.name, name));
    }
  }
  return std::nullopt;
}

Outcome<void> EventActions::turn_contacts(Transition& to) {
  if (auto done = contacts_.turn(to); !done) return done;
  contacts_.decide_sides(to);
  return {};
}

Outcome<void> EventActions::happen(std::span<const std::size_t> happened, Transition& to) {
  using Kind = model::EventAction::Kind;
  const Eigen::Index nq = dynamics_.binding()->nq(), nu = dynamics_.binding()->nu();
  evaluate(to.mode, to.t, to.y.data());
  const Vector y_before = to.y;
  bool sets_velocities = false;
  std::vector<model::ConstraintId> landed;
  if (auto failure = contradiction(happened, to.t)) return fail(std::move(*failure));
  if (auto failure = infinity(happened, to.t)) return fail(std::move(*failure));
  for (const std::size_t i : happened) {
    const model::Event& event = events()[i];
    if (!event.name.empty()) to.events.push_back(Mark{to.t, event.name});
    for (std::size_t k = 0; k < event.actions.size(); ++k) {
      const model::EventAction& action = event.actions[k];
      const double value = output_[first_[i] + 2 + k];
      switch (action.kind) {
        case Kind::kStop: to.ends = ending(i, to.t); break;
        case Kind::kRecord: to.records = true; break;
        case Kind::kSetSpeed:
          to.sets = true;
          to.y[nq + action.index] = value;
          sets_velocities = true;
          break;
        case Kind::kSetState:
          to.sets = true;
          to.y[nq + nu + action.index] = value;
          sets_velocities = sets_velocities || is_in_a_velocity(action.index);
          break;
        case Kind::kClose: landed.emplace_back(action.index); break;
      }
    }
  }
  const bool may_collide = !landed.empty() || (sets_velocities && contacts_.has_any());
  if (may_collide && sets_velocities) {  // first the impulses of the other constraints
    Vector y_open;
    Mode open = contacts_.opened(to.mode, to.t, to.y, y_open);
    auto impulses = meet_constraints(dynamics_, open, to.t, y_open);
    if (!impulses) return fail(std::move(impulses.error()));
    to.y.head(nq + nu) = y_open.head(nq + nu);
    if (*impulses) to.events.push_back(**std::move(impulses));
  }
  if (may_collide) {
    if (auto done = contacts_.impact(landed, to); !done) return done;
    sets_velocities = true;
  }
  to.decided = conditions_after_set(dynamics_.binding(), to.mode.sides, to.t, y_before, to.y);
  if (may_collide) contacts_.decide_sides(to);
  if (!sets_velocities) return {};
  auto done = satisfy_constraints(y_before, to);
  if (!done && !has_place(done.error()))
    done.error().statements = {{StatementId::Kind::kEvent, static_cast<int>(happened.front())}};
  return done;
}

/// True if a constraint requires another velocity when this state jumps.
bool EventActions::is_in_a_velocity(std::size_t state) const {
  const equations::System& system = *dynamics_.binding()->system;
  return std::ranges::any_of(system.rows, [&](const equations::Row& row) {
    const expr::Expr psi = row.acts.is_valid() ? row.while_acting.psi : row.psi;
    return psi.is_valid() && row.conditions.empty() && expr::depends_on(psi, {&system.z[state], 1});
  });
}

/// Makes the speeds satisfy the constraints that act for the set values, if necessary by an impulse. Then decides
/// between stick and slip from the speeds after the impulse.
Outcome<void> EventActions::satisfy_constraints(const Vector& y_before, Transition& to) {
  const Binding& bound = dynamics_.binding();
  Mode mode = to.mode;
  std::vector<double> sides = mode.sides;
  for (std::size_t k = 0; k < to.decided.size(); ++k)
    if (!std::isnan(to.decided[k])) sides[k] = to.decided[k];
  const bool is_decided = sides != mode.sides;
  if (is_decided) {
    set_sides(mode, bound, sides);
    auto cannot = cannot_begin(dynamics_, mode, to.t, y_before, acting_rows(dynamics_, to.mode),
                               acting_rows(dynamics_, mode), tolerance_);
    if (cannot) return fail(*std::move(cannot));
  }
  Mode& in = is_decided ? mode : to.mode;
  if (!bound->velocity_rows.empty()) {
    auto impulses = meet_constraints(dynamics_, in, to.t, to.y);
    if (!impulses) return fail(std::move(impulses.error()));
    if (*impulses) to.events.push_back(**std::move(impulses));
  }
  if (!bound->system->slides.empty()) {
    if (auto done = settle_friction(dynamics_, in, to.t, to.y.data()); !done) return done;
    if (is_decided) set_friction(to.mode, mode.friction);
  }
  return {};
}

}  // namespace vinculum::sim
