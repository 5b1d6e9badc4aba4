#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/hybrid/event_actions.hpp"

namespace vinculum::sim {
namespace {

/// Event source for events at stated times, the instants of sampled states, and records of inputs. At one instant
/// inputs change first. Steps end at these times (`next_time`), so no search is needed.
class TimedEventSource final : public EventSource {
 public:
  explicit TimedEventSource(const Watched& run)
      : run_(run), actions_(run), inputs_(run.dynamics.binding(), run.inputs) {}

  std::optional<Failure> begin(Transition& start, RunRecord&) override {
    period_ = actions_.times(start.mode);
    for (std::size_t i = 0; i < period_.size(); ++i) {
      const model::Event& event = actions_.events()[i];
      if (!event.is_timed()) continue;
      if (event.trigger == model::Event::Trigger::kEvery && !(period_[i] > same())) return too_short(i, start.t);
      Timer timer{i, event.trigger == model::Event::Trigger::kEvery, 0};
      if (timer.is_periodic) timer.count = std::ceil((start.t - same()) / period_[i]);
      timers_.push_back(timer);
    }
    inputs_.begin(start.t, same(), start.y);
    const std::vector<std::size_t> due = take_due(start.t);
    if (due.empty() || run_.is_continued) return std::nullopt;
    if (auto done = actions_.happen(due, start); !done) return done.error();
    return std::nullopt;
  }
  void resume(Transition& at, RunRecord&) override {
    period_ = actions_.times(at.mode);
    for (std::size_t i = 0; i < period_.size(); ++i) {
      if (!actions_.events()[i].is_timed()) continue;
      Timer& timer = timers_.emplace_back(i, actions_.events()[i].trigger == model::Event::Trigger::kEvery, 0.0);
      if (timer.is_periodic) timer.count = std::ceil((at.t - same()) / period_[i]);
    }
    (void)take_due(at.t);
  }
  double next_time() const override {
    double next = inputs_.next_time();
    for (const Timer& timer : timers_) next = std::min(next, time_of(timer));
    return next;
  }
  Outcome<void> check(const integrate::Step& step, std::vector<Found>& found) override {
    const double next = next_time();
    if (next > step.t_end() + same()) return {};
    Found& one = found.emplace_back(Found{std::min(next, step.t_end()), integrate::Action::kChange});
    one.length = step.t_end() - step.t_begin();
    one.lands = true;
    return {};
  }
  Outcome<void> pass(const Found& found, Transition& to) override {
    to.sets = inputs_.apply(found.t, same(), to.y);
    const std::vector<std::size_t> due = take_due(found.t);
    return due.empty() ? Outcome<void>() : actions_.happen(due, to);
  }

 private:
  struct Timer {
    std::size_t event;
    bool is_periodic;
    double count;  ///< number of the next period; for a single time: 1 after the event
  };
  /// [s] Times that differ by less than this count as one instant.
  [[nodiscard]] double same() const { return tolerance::kSameTime * run_.duration; }
  [[nodiscard]] double time_of(const Timer& timer) const {
    if (timer.is_periodic) return timer.count * period_[timer.event];
    return timer.count > 0.0 ? std::numeric_limits<double>::infinity() : period_[timer.event];
  }
  /// Events that are due at t; each is taken once.
  std::vector<std::size_t> take_due(double t) {
    std::vector<std::size_t> due;
    for (Timer& timer : timers_) {
      if (time_of(timer) > t + same()) continue;
      if (std::abs(time_of(timer) - t) <= same()) due.push_back(timer.event);  // an event before the start is not due
      timer.count += 1.0;
    }
    return due;
  }
  [[nodiscard]] Failure too_short(std::size_t i, double t) const {
    const std::string& name = actions_.events()[i].name;
    const std::string whose = name.empty() ? "a sampled state" : "event `" + name + "`";
    if (!(period_[i] > 0.0)) {
      Failure failure = EventActions::failure_of(
          i, FailureKind::kInconsistent, t,
          fmt::format("the period of {} is {:.3g} s with these values of the parameters", whose, period_[i]));
      failure.advice = "let the period be positive";
      return failure;
    }
    Failure failure = EventActions::failure_of(
        i, FailureKind::kStepTooSmall, t,
        fmt::format("the period of {}, {:.3g} s, is too short: a run of {:.3g} s resolves times of {:.1g} s", whose,
                    period_[i], run_.duration, same()));
    failure.advice = "let the period be longer, or let the run be shorter";
    return failure;
  }

  Watched run_;
  EventActions actions_;
  PlayedInputs inputs_;
  std::vector<double> period_;  ///< [events] [s]
  std::vector<Timer> timers_;   ///< in declared order
};

}  // namespace

std::unique_ptr<EventSource> make_timed_event_source(const Watched& run) {
  const std::vector<model::Event>& events = run.dynamics.binding()->model->events;
  const bool is_any = !run.inputs.empty() || std::ranges::any_of(events, &model::Event::is_timed);
  return is_any ? std::make_unique<TimedEventSource>(run) : nullptr;
}

}  // namespace vinculum::sim
