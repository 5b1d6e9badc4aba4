#pragma once

#include "vinculum/api/motion.hpp"

namespace vinculum {

/// Makes the run compute the derivatives that `RunOptions::sensitivity` names.
/// \returns an Error if a name does not exist, or if the motion has no derivatives by it
[[nodiscard]] Result<void> follow_sensitivities(const RunOptions& options, Trajectory::Shared& result,
                                                sim::SimulateOptions& simulate);

/// Call it when the run has ended.
void finish_sensitivities(Trajectory::Shared& result);
/// sensitivities.csv: one row per sample, one column per derivative (docs/json.md). Nothing if they were not computed
/// or do not exist up to the end of the run.
[[nodiscard]] std::optional<report::Table> sensitivities_table(const Trajectory::Shared& of);

}  // namespace vinculum
