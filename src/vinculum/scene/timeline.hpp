#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "vinculum/compiled/binding.hpp"
#include "vinculum/run/trajectory.hpp"

namespace vinculum::report {

/// The time intervals in which one constraint with a `when` clause acts.
struct ActingTimes {
  model::ConstraintId constraint;
  /// [s] begin and end, in order of time. A constraint that acts for an instant has an interval of length 0.
  std::vector<std::array<double, 2>> intervals;
};
/// Returns the acting times of each constraint with a `when` clause, in declared order, from the first sample of a run
/// to its last.
/// \pre the run has samples
[[nodiscard]] std::vector<ActingTimes> acting_times(const sim::CompiledModel& compiled, const sim::Trajectory& run);

/// The instants at which a state is sampled or an event at `every T` happens: `first` + k·`period`, k = 0 … `count` −
/// 1.
struct Clock {
  std::string name;  ///< name of the event or of the state
  bool is_state = false;
  double period = 0.0, first = 0.0;  ///< [s] time between instants; first instant
  std::int64_t count = 0;
};
/// Returns the clocks that have an instant within the run, in declared order.
/// \pre the run has samples
[[nodiscard]] std::vector<Clock> clocks(const sim::Binding& bound, const sim::Trajectory& run);

/// Whether the rate of the state with this index in `Sample::z` is the number 0, so that only events, samples and
/// inputs change the state.
[[nodiscard]] bool is_discrete(const model::Model& model, std::size_t state);

}  // namespace vinculum::report
