#pragma once

#include <iosfwd>

#include "vinculum/sim/run/trajectory.hpp"

namespace vinculum::out {

/// One line a sample: t, q, u, outputs, residual(c) of each constraint; names in the first line, SI, 17 digits,
/// comma-separated, `.` as decimal point whatever the locale.
void write_csv(std::ostream& stream, const sim::CompiledModel& compiled, const sim::Trajectory& trajectory);

}  // namespace vinculum::out
