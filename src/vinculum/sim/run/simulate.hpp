#pragma once

#include <functional>
#include <string>
#include <vector>

#include "vinculum/sim/run/trajectory.hpp"
#include "vinculum/sim/start/assembly.hpp"

namespace vinculum::sim {

struct SimulateOptions {
  double duration = 0.0;          ///< [s] the run goes from start.t0 to start.t0 + duration
  double tolerance = 1e-8;        ///< relative
  std::string method = "dop853";  ///< a name of `integrate::method_table()`
  dynamics::Formulation formulation = dynamics::Formulation::kExplicit;
  double output_step = 0.0;          ///< [s] between samples; 0: 200 samples over the run
  std::vector<double> sample_times;  ///< the integrator lands on these exactly
  bool project = true;               ///< off only to measure what projection does
  bool conserve = true;              ///< what the model states in `conserve`; off only to measure what that does
  /// Called at least every accepted step with the time reached; for progress. May be empty.
  std::function<void(double t)> on_progress;
  /// Called with a full report at the start, after every accepted step and at every sample. May be empty (it costs a
  /// tier Q solve each time).
  std::function<void(const Sample&)> on_state;
  /// Called with a full report at the nodes of a Gauss rule (five) between any two instants that `on_state` sees, ahead
  /// of the second of them, with the weight [s] that the value there has in an integral over the time between. May be
  /// empty.
  std::function<void(const Sample&, double weight)> on_node;
};

/// Options out of the model's `run` statement; duration 0 where it has none.
[[nodiscard]] SimulateOptions options_of(const mechanics::Model& model);

/// Integrates from a consistent start. q and u are projected after every accepted step, samples too.
///
/// The run ends early, with everything up to there and `stopped` set, where the motion cannot go on: kNotUnique where
/// the gradient of a constraint vanishes (found inside steps too, to 1e-9 s), kInconsistent, kUndetermined, kRankDrop,
/// kNonFinite, kStepTooSmall.
[[nodiscard]] Trajectory simulate(Dynamics& dynamics, const Start& start, const SimulateOptions& options);

/// Assembles and simulates. A failed assembly is a trajectory without samples whose `stopped` says why.
[[nodiscard]] Trajectory simulate(Dynamics& dynamics, const SimulateOptions& options);

}  // namespace vinculum::sim
