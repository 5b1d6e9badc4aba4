#include "vinculum/hybrid/event_source.hpp"

#include <limits>

#include "vinculum/hybrid/sources/single_event.hpp"

namespace vinculum::sim {

std::optional<Failure> EventSource::begin(Transition&, RunRecord&) { return std::nullopt; }
void EventSource::resume(Transition& at, RunRecord& run) {
  Transition same = at;
  (void)begin(same, run);
}
void EventSource::keep(const integrate::Step&, Mode&, RunRecord&) {}
Outcome<void> EventSource::pass(const Found&, Transition&) { return {}; }
Outcome<void> EventSource::follow(const Vector&, Transition&) { return {}; }
double EventSource::next_time() const { return std::numeric_limits<double>::infinity(); }
bool EventSource::gives_way(double, const Vector&, Mode&) { return false; }
void EventSource::end(RunRecord&, const Sample*) {}
std::optional<Failure> EventSource::explain(double, const Vector&) { return std::nullopt; }

Outcome<void> SingleEvent::check(const integrate::Step& step, std::vector<Found>& found) {
  const double begin = step.t_begin(), end = step.t_end();
  const double at_begin = (event_.begin ? event_.begin : event_.guard)(begin, step.y_begin());
  const double at_end = event_.guard(end, step.y_end());
  const int sign = integrate::passage(at_begin, at_end, event_.direction);
  if (sign == 0) return {};
  const auto margin = [&](double t) -> Outcome<double> {
    if (auto done = step.interpolate(t, y_); !done) return fail(done.error());
    return -sign * event_.guard(t, y_);
  };
  const integrate::Crossing crossing =
      integrate::find_crossing(margin, begin, -sign * at_begin, end, -sign * at_end, event_.accuracy * (end - begin));
  Found& one = found.emplace_back(Found{crossing.after, event_.action});
  if (event_.action != integrate::Action::kStop) return {};
  one.reason = reason(crossing.after);
  return {};
}

Outcome<void> SingleEvent::pass(const Found& found, Transition& to) {
  to.events.push_back(Mark{found.t, event_.name});
  return {};
}

SourceRow source_of(integrate::Event event) {
  const std::string name = event.name;
  return {name, [event = std::move(event)](const Watched&) { return std::make_unique<SingleEvent>(event); }};
}

}  // namespace vinculum::sim
