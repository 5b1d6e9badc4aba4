#include "vinculum/run/told_events.hpp"

#include <algorithm>

namespace vinculum::sim {

double time_of(const RunEvent& event) {
  return std::visit([](const auto& one) { return one.t; }, event);
}

/// The events that have not been told, in the order of time: within a step they are listed by source.
std::vector<RunEvent> ToldEvents::next() {
  if (!options_.on_event) return {};
  std::vector<RunEvent> events(run_.events.begin() + static_cast<std::ptrdiff_t>(told_), run_.events.end());
  told_ = run_.events.size();
  std::ranges::stable_sort(events, {}, time_of);
  return events;
}

bool ToldEvents::tell(const Vector& before, const Vector& after) {
  bool asks_to_end = false;
  for (const RunEvent& event : next()) asks_to_end |= options_.on_event(event, before, after);
  return asks_to_end;
}

bool ToldEvents::tell_inside(const integrate::Step& step, const Mode& mode) {
  bool asks_to_end = false;
  for (const RunEvent& event : next()) {
    Vector y = step.y_end();
    if (!step.interpolate(time_of(event), y)) y = step.y_end();
    Vector projected = y;
    if (dynamics_.project(mode, time_of(event), projected.data())) y = projected;
    asks_to_end |= options_.on_event(event, y, y);
  }
  return asks_to_end;
}

}  // namespace vinculum::sim
