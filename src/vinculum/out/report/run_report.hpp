#pragma once

#include <string>

#include "vinculum/sim/run/trajectory.hpp"

namespace vinculum::out {

/// Wall-clock seconds of each stage of a run.
struct StageSeconds {
  double parse = 0.0;  ///< text to checked model
  double derive = 0.0;
  double compile = 0.0;
  double simulate = 0.0;  ///< with the consistent start
};

/// The object that `run --json` prints and that is written into the results folder (language.md: stable shape):
/// {"model", "t", "state", "outputs", "residuals", "not_unique", "steps", "rejected", "seconds", "backend", "stopped"[,
/// "samples"]}. "not_unique" lists the outputs whose value at the end depends on how redundant constraints share a
/// force. "samples" is there when times were asked for. Numbers have full precision; what is not finite is null.
[[nodiscard]] std::string run_json(const sim::CompiledModel& compiled, const sim::Trajectory& trajectory,
                                   const StageSeconds& seconds, bool with_samples);

/// The short table that `run` prints: final state, outputs, residuals, steps, time in each stage.
[[nodiscard]] std::string run_table(const sim::CompiledModel& compiled, const sim::Trajectory& trajectory,
                                    const StageSeconds& seconds);

}  // namespace vinculum::out
