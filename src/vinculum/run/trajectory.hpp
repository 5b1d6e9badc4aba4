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

/// A motion, up to its end or to where it had to stop.
struct Trajectory : RunRecord {
  std::vector<Sample> samples;  ///< complete: at the output times, the start and the last state included; none
                                ///< where already the start has no reactions or results; only the start and the
                                ///< last state where `SimulateOptions::keeps_samples` is off
  std::vector<Sample> asked;    ///< at `SimulateOptions::sample_times` that were reached, in their order
  Vector largest_q;             ///< [nq] |q| over the samples
  Vector largest_u, largest_z, largest_outputs;  ///< [nu], [nz], [output_size] the same
  Vector outputs_before_end;                     ///< [output_size] the same over the samples before the last
  std::vector<double> step_times;                ///< ends of the accepted steps
  double tolerance = 0.0;                        ///< that the run asked for
  integrate::Statistics statistics;
  SolveCounts counts;
  std::optional<RateBalance> rates;  ///< of runs that took a step, where `SimulateOptions::accounts` keeps it
  std::optional<RateBalance> rates_before_last;  ///< the same up to the sample before the last
  std::optional<SideBalance> sides;              ///< the same of the regions
  std::optional<SideBalance> sides_before_last;  ///< up to the sample before the last
  std::optional<Failure> stopped;                ///< why the run ended before its time
  bool is_interrupted = false;                   ///< whoever asked for it has ended it before its time
  bool is_out_of_steps = false;                  ///< that was because it had taken `SimulateOptions::most_steps`
  double seconds = 0.0;                          ///< wall clock: assembly and integration
  std::optional<Profile> profile;                ///< of these seconds, where `SimulateOptions::is_profiled` asks for it

  /// Whether the state lies on a surface at which the equations switch, as far as the run's tolerance tells, and goes
  /// along it or passes it: what they state there is the value of neither side, or of the other.
  [[nodiscard]] bool is_on_surface(double t) const;
  [[nodiscard]] const Sample& start() const { return samples.front(); }
  [[nodiscard]] const Sample& end() const { return samples.back(); }
};

}  // namespace vinculum::sim
