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

/// The result of a run, up to its end or to where it had to stop.
struct Trajectory : RunRecord {
  std::vector<Sample> samples;  ///< at the output times, the start and the last state; empty if already the start has
                                ///< no reactions or results; only the start and the last state if
                                ///< `SimulateOptions::keeps_samples` is off
  std::vector<Sample> asked;    ///< at the `SimulateOptions::sample_times` that were reached, in their order
  Vector largest_q;             ///< [nq] largest |q| over the samples
  Vector largest_u, largest_z, largest_outputs;  ///< [nu], [nz], [output_size] likewise
  Vector outputs_before_end;                     ///< [output_size] likewise, over the samples before the last
  std::vector<double> step_times;                ///< ends of the accepted steps
  double tolerance = 0.0;                        ///< of the run, as requested
  integrate::Statistics statistics;
  SolveCounts counts;
  std::optional<RateBalance> rates;  ///< set for runs that took a step, if `SimulateOptions::accounts` computes it
  std::optional<RateBalance> rates_before_last;  ///< up to the sample before the last
  std::optional<SideBalance> sides;              ///< set likewise, for the switching surfaces
  std::optional<SideBalance> sides_before_last;  ///< up to the sample before the last
  std::optional<Failure> stopped;                ///< why the run ended before its time
  bool is_interrupted = false;                   ///< the caller ended the run before its time
  bool is_out_of_steps = false;                  ///< it was ended because of `SimulateOptions::most_steps`
  double seconds = 0.0;                          ///< wall-clock time of assembly and integration
  std::optional<Profile> profile;                ///< of these seconds, if `SimulateOptions::is_profiled`

  /// Whether the state at t lies on a switching surface, within the accuracy of the run, and crosses it or is in a
  /// sliding mode there. Then the equations as stated have the values of neither region, or of the other one.
  [[nodiscard]] bool is_on_surface(double t) const;
  [[nodiscard]] const Sample& start() const { return samples.front(); }
  [[nodiscard]] const Sample& end() const { return samples.back(); }
};

}  // namespace vinculum::sim
