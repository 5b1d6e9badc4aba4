#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/hybrid/event_actions.hpp"

namespace vinculum::sim {
namespace {

/// Events at stated times, and the samples of states. Steps end at these times (`next_time`), so none is searched for.
class TimedEventSource final : public EventSource {
 public:
  explicit TimedEventSource(const Watched& run) : run_(run), actions_(run.dynamics, run.tolerance) {}

  std::optional<Failure> begin(Transition& start, RunRecord&) override {
    period_ = actions_.times(start.mode);
    for (std::size_t i = 0; i < period_.size(); ++i) {
      const model::Event& event = actions_.events()[i];
      if (!event.is_timed()) continue;
      if (event.trigger == model::Event::Trigger::kEvery && !(period_[i] > 0.0)) return not_positive(event, start.t);
      Timer timer{i, event.trigger == model::Event::Trigger::kEvery, 0};
      if (timer.is_periodic) timer.count = std::ceil((start.t - same()) / period_[i]);
      timers_.push_back(timer);
    }
    const std::vector<std::size_t> due = take_due(start.t);
    if (due.empty()) return std::nullopt;
    if (auto done = actions_.happen(due, start); !done) return done.error();
    return std::nullopt;
  }
  double next_time() const override {
    double next = std::numeric_limits<double>::infinity();
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
  Outcome<void> pass(const Found& found, Transition& to) override { return actions_.happen(take_due(found.t), to); }

 private:
  struct Timer {
    std::size_t event;
    bool is_periodic;
    double count;  ///< of the next period; of a single time 1 after it
  };
  /// Times closer than this are one instant.
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
      if (std::abs(time_of(timer) - t) <= same()) due.push_back(timer.event);  // one before the start is past
      timer.count += 1.0;
    }
    return due;
  }
  static Failure not_positive(const model::Event& event, double t) {
    Failure failure;
    failure.kind = FailureKind::kInconsistent;
    failure.t = t;
    failure.message = "the period of " + (event.name.empty() ? "a sampled state" : "event `" + event.name + "`") +
                      " is not positive with these values of the parameters";
    return failure;
  }

  Watched run_;
  EventActions actions_;
  std::vector<double> period_;  ///< [events] [s]
  std::vector<Timer> timers_;   ///< in declared order
};

}  // namespace

std::unique_ptr<EventSource> make_timed_event_source(const Watched& run) {
  const std::vector<model::Event>& events = run.dynamics.binding()->model->events;
  return std::ranges::any_of(events, &model::Event::is_timed) ? std::make_unique<TimedEventSource>(run) : nullptr;
}

}  // namespace vinculum::sim
