#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/run/sink.hpp"
#include "vinculum/run/standard_sources.hpp"
#include "vinculum/run/trajectory.hpp"
#include "vinculum/start/assembly.hpp"

namespace vinculum::sim {

struct SimulateOptions {
  double duration = 0.0;                      ///< [s] the run goes from start.t0 to start.t0 + duration
  double tolerance = tolerance::kDefaultRun;  ///< relative
  std::string method;                         ///< a name of the table; empty: its first
  integrate::MethodTable methods = integrate::method_table();
  equations::Formulation formulation = equations::Formulation::kExplicit;
  double largest_step = 0.0;         ///< [s] of the integration; 0: as long as the tolerance allows
  double most_steps = 0.0;           ///< the run is interrupted behind these; 0: as many as it takes
  double output_step = 0.0;          ///< [s] between samples; 0: 200 samples over the run
  std::vector<double> sample_times;  ///< shown too, in any order; the motion knows nothing of them
  bool project = true;               ///< off only to measure what projection does
  bool conserve = true;              ///< what the model states in `conserve`; off only to measure what that does
  bool keeps_samples = true;         ///< all in `Trajectory::samples`; off for runs that go to other sinks
  /// Sinks of the run that write into its trajectory: for an audit `audit_accounts`. They change nothing of the motion.
  std::function<std::vector<std::unique_ptr<Sink>>(Trajectory&)> accounts;
  bool is_profiled = false;                             ///< measures where the time goes
  std::vector<SourceRow> sources = standard_sources();  ///< what the run watches for
  std::vector<Sink*> sinks;                             ///< that take what it sees; they outlive it
  std::function<bool()> is_interrupted;      ///< asked after every step; true ends the run there. May be empty
  std::function<void(const Note&)> on_note;  ///< told of each note when it is made. May be empty
};

/// Options out of the model's `run` statement; duration 0 where it has none.
[[nodiscard]] SimulateOptions options_of(const model::Model& model);

/// Integrates from a consistent start. q and u are projected after every accepted step, samples too.
///
/// The run ends early, with everything up to there and `stopped` set, where the motion cannot go on: kNotUnique where
/// the gradient of a constraint vanishes (found inside steps too, to 1e-9 s), kInconsistent, kUndetermined, kRankDrop,
/// kNonFinite, kStepTooSmall.
[[nodiscard]] Trajectory simulate(Dynamics& dynamics, const Start& start, const SimulateOptions& options);

/// Assembles and simulates. A failed assembly is a trajectory without samples whose `stopped` says why.
[[nodiscard]] Trajectory simulate(Dynamics& dynamics, const SimulateOptions& options);

}  // namespace vinculum::sim
