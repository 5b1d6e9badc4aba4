#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/hybrid/run_record.hpp"
#include "vinculum/integrate/integrator.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/run/profile.hpp"
#include "vinculum/run/rate_balance.hpp"
#include "vinculum/run/side_balance.hpp"

namespace vinculum::sim {

/// The states before and after an event that changes the speeds.
struct StateJump {
  double t = 0.0;
  Vector before, after;  ///< [q, u, z]
};

/// The result of a run, up to its end or to the time at which it had to stop.
struct Trajectory : RunRecord {
  std::vector<Sample> samples;  ///< samples at the output times, the start and the last state; empty if the start
                                ///< already has no reactions or results; only the start and the last state if
                                ///< `SimulateOptions::keeps_samples` is off
  std::vector<Sample> asked;    ///< samples at those `SimulateOptions::sample_times` that were reached, in their order
  Vector largest_q;             ///< [nq] largest |q| over the samples
  Vector largest_u, largest_z, largest_outputs;  ///< [nu], [nz], [output_size] largest magnitudes over the samples
  Vector outputs_before_end;                     ///< [output_size] largest |outputs| over the samples before the last
  std::vector<double> step_times;                ///< [s] times at which the accepted steps end
  double tolerance = 0.0;                        ///< tolerance of the run, as requested
  integrate::Statistics statistics;
  SolveCounts counts;
  std::optional<RateBalance> rates;  ///< set if `SimulateOptions::accounts` computes it and the run took a step
  std::optional<RateBalance> rates_before_last;  ///< `rates`, up to the sample before the last
  std::optional<SideBalance> sides;              ///< checks of regions, stick and slip; set like `rates`
  std::optional<SideBalance> sides_before_last;  ///< `sides`, up to the sample before the last
  std::vector<StateJump> jumps;                  ///< jumps of speeds where contacts are possible; set like `rates`
  std::optional<Failure> stopped;                ///< reason why the run ended early
  bool is_interrupted = false;                   ///< true: the caller ended the run early
  bool is_out_of_steps = false;                  ///< true: the run ended because of `SimulateOptions::most_steps`
  double seconds = 0.0;                          ///< wall-clock time of assembly and integration
  std::optional<Profile> profile;                ///< distribution of these seconds, if `SimulateOptions::is_profiled`

  /// Whether, within the accuracy of the run, the state at t lies on a switching surface that the motion crosses, or on
  /// which it remains in a sliding mode. The accelerations by the equations as stated in the model may then differ from
  /// those of the motion, because the conditions of the model may have other values there.
  [[nodiscard]] bool is_on_surface(double t) const;
  [[nodiscard]] const Sample& start() const { return samples.front(); }
  [[nodiscard]] const Sample& end() const { return samples.back(); }
};

}  // namespace vinculum::sim
