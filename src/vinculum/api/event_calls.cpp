#include "vinculum/api/event_calls.hpp"

#include <utility>

#include "vinculum/report/failure_report.hpp"
#include "vinculum/run/told_events.hpp"

namespace vinculum {
namespace {

EventValue to_value(const report::Node::Value& value) {
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* count = std::get_if<std::int64_t>(&value)) return static_cast<double>(*count);
  return {};
}

}  // namespace

Event to_event(const report::RunEvent& row) {
  return {row.t, row.kind, row.where, to_value(row.before), to_value(row.after)};
}

Event stop_event(const sim::CompiledModel& compiled, const Failure& failure) {
  return {failure.t,
          "stop",
          report::failure_where(*compiled.model, compiled.system.get(), failure),
          {},
          std::string(failure_info(failure.kind).name)};
}

bool EventCalls::tell(const OnEvent& function, const sim::CompiledModel& compiled, const sim::RunEvent& event,
                      const Vector& before, const Vector& after) {
  const double t = sim::time_of(event);
  bool asks_to_end = false;
  for (const report::RunEvent& row : report::rows_of(compiled, event))
    asks_to_end |=
        tell(function, to_event(row), unpacked(compiled, t, to_std(before)), unpacked(compiled, t, to_std(after)));
  return asks_to_end;
}

bool EventCalls::tell(const OnEvent& function, const Event& event, const State& before, const State& after) {
  if (thrown_) return true;
  try {
    return function(event, before, after);
  } catch (...) {
    thrown_ = std::current_exception();
    return true;
  }
}

void EventCalls::rethrow() {
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

}  // namespace vinculum
