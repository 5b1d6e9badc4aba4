#pragma once

#include <string>
#include <vector>

#include "vinculum/compiled/binding.hpp"
#include "vinculum/report/tree.hpp"
#include "vinculum/run/trajectory.hpp"

namespace vinculum::report {

/// An event of a run, as a row of `events.csv` (docs/json.md lists the kinds).
struct RunEvent {
  double t = 0.0;             ///< [s] time of the event
  std::string kind;           ///< "friction", "switch", "rank", "event", "constraint", "impact", "impulse", "stop"
  std::string where;          ///< a constraint, a switch, an event, or a position in the model text; may be empty
  Node::Value before, after;  ///< values before and after the event; null if it has no such values
  std::string unit = {};      ///< SI unit of a number in `after`; empty if it has none
};

/// Rows of one event: none for a switch that is only crossed, several for an impulse of several constraint rows.
[[nodiscard]] std::vector<RunEvent> rows_of(const sim::CompiledModel& compiled, const sim::RunEvent& event);
/// Events recorded by all event sources, and the reason of an early end, ordered by time.
[[nodiscard]] std::vector<RunEvent> events_of(const sim::CompiledModel& compiled, const sim::Trajectory& trajectory);
/// How often each event of the model happened, and how often each constraint with `when` began or ceased to act: a list
/// of {"kind", "name", "count", "first", "last"}, in the order of the first time. The text has one line for each of the
/// first entries.
[[nodiscard]] Node event_counts(const sim::CompiledModel& compiled, const sim::Trajectory& trajectory);
/// `events.csv`, one row per event.
[[nodiscard]] Table events_table(const sim::CompiledModel& compiled, const sim::Trajectory& trajectory);

}  // namespace vinculum::report
