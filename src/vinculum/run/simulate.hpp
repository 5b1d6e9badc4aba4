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
  double tolerance = tolerance::kDefaultRun;  ///< relative tolerance of the integration
  std::string method;                         ///< name in the table of methods; empty: the first one
  integrate::MethodTable methods = integrate::method_table();
  equations::Formulation formulation = equations::Formulation::kExplicit;
  double largest_step = 0.0;         ///< [s] largest step of the integration; 0: no limit
  double most_steps = 0.0;           ///< the run is interrupted after this many steps; 0: no limit
  double output_step = 0.0;          ///< [s] time between samples; 0: 200 samples over the run
  std::vector<double> sample_times;  ///< further samples, in any order; they do not change the motion
  bool project = true;               ///< project onto the constraints; off only to measure the effect of projection
  bool conserve = true;              ///< whether `conserve` statements are enforced; off only to measure their effect
  bool keeps_samples = true;  ///< keeps all samples in `Trajectory::samples`; off for runs that write to other sinks
  /// Creates the sinks that write into the trajectory of the run; for an audit: `audit_accounts`. They do not change
  /// the motion.
  std::function<std::vector<std::unique_ptr<Sink>>(Trajectory&)> accounts;
  bool is_profiled = false;                             ///< measure how the time of the run is distributed
  std::vector<SourceRow> sources = standard_sources();  ///< event sources
  std::vector<InputRecord> inputs;           ///< values of inputs; must reach from the start to the end of the run
  std::vector<Sink*> sinks;                  ///< receive samples, states and nodes; must outlive the run
  std::function<bool()> is_interrupted;      ///< called after every step; true interrupts the run. May be empty
  std::function<void(const Note&)> on_note;  ///< called for each note when it is made. May be empty
  /// Called for each event when it has happened, with the states [nq + nu + nz] before and after it; `true` interrupts
  /// the run after the event, or after the step in which it lies if it ends none. It must not change the run or call
  /// its functions, except for the const ones. May be empty.
  std::function<bool(const RunEvent&, const Vector& before, const Vector& after)> on_event;
};

/// Options from the model's `run` statement; duration 0 if it has none.
[[nodiscard]] SimulateOptions options_of(const model::Model& model);

/// Integrates from a consistent start. q and u are projected after every accepted step and at every sample.
///
/// If the motion cannot continue, the run ends early. The trajectory then contains the motion up to that time, and
/// `stopped` contains the reason: kNotUnique if the gradient of a constraint vanishes (also within a step; located to
/// 1e-9 s), kInconsistent, kUndetermined, kRankDrop, kNonFinite, kStepTooSmall and others.
[[nodiscard]] Trajectory simulate(Dynamics& dynamics, const Start& start, const SimulateOptions& options);

/// Assembles the start and simulates. If assembly fails, the trajectory has no samples, and `stopped` contains the
/// reason.
[[nodiscard]] Trajectory simulate(Dynamics& dynamics, const SimulateOptions& options);

}  // namespace vinculum::sim
