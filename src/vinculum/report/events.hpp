#pragma once

#include <string>
#include <vector>

#include "vinculum/compiled/binding.hpp"
#include "vinculum/report/tree.hpp"
#include "vinculum/run/trajectory.hpp"

namespace vinculum::report {

/// Something that happened along a run, as a row of `events.csv` (docs/json.md lists the kinds).
struct RunEvent {
  double t = 0.0;             ///< [s]
  std::string kind;           ///< "friction", "switch", "rank", "event", "stop"
  std::string where;          ///< a constraint, a switch, an event, a place in the text; may be empty
  Node::Value before, after;  ///< what changed, from what to what; null where there is no such value
};

/// All that event sources have noted and what ended the run early, in the order of time.
[[nodiscard]] std::vector<RunEvent> events_of(const sim::CompiledModel& compiled, const sim::Trajectory& trajectory);
/// `events.csv`, one row an event.
[[nodiscard]] Table events_table(const sim::CompiledModel& compiled, const sim::Trajectory& trajectory);

}  // namespace vinculum::report
