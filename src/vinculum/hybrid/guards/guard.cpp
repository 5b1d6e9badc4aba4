#include "vinculum/hybrid/guards/guard.hpp"

#include "vinculum/hybrid/guards/event_guard.hpp"

namespace vinculum::sim {

std::optional<Failure> Guard::begin(double, const Vector&, RunRecord&) { return std::nullopt; }
void Guard::keep(const integrate::Step&, RunRecord&) {}
Outcome<void> Guard::pass(const Found&, Vector&, RunRecord&) { return {}; }
bool Guard::gives_way(double, const Vector&) { return false; }
void Guard::end(RunRecord&, const Sample*) {}
std::optional<Failure> Guard::explain(double, const Vector&) { return std::nullopt; }

Outcome<void> EventGuard::check(const integrate::Step& step, std::vector<Found>& found) {
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

Outcome<void> EventGuard::pass(const Found& found, Vector&, RunRecord& run) {
  run.marks.push_back({found.t, event_.name});
  return {};
}

GuardRow guard_of(integrate::Event event) {
  const std::string name = event.name;
  return {name, [event = std::move(event)](const Watched&) { return std::make_unique<EventGuard>(event); }};
}

}  // namespace vinculum::sim
