#pragma once

#include "vinculum/integrate/integrator.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum::sim {

/// Passes the events of a run to `SimulateOptions::on_event`, in the order of time. Each event is passed once. The
/// function receives copies and does not change the motion.
class ToldEvents {
 public:
  ToldEvents(const SimulateOptions& options, const Trajectory& run, Dynamics& dynamics)
      : options_(options), run_(run), dynamics_(dynamics) {}

  /// Tells the new events of an instant, at which the state changed from `before` to `after`.
  /// \returns whether the function asks to end the run.
  [[nodiscard]] bool tell(const Vector& before, const Vector& after);
  /// Tells the new events inside a step, which do not change the state. Their states are interpolated, and projected
  /// if the constraints can be met there, which may fail at a loss of rank.
  /// \returns whether the function asks to end the run.
  [[nodiscard]] bool tell_inside(const integrate::Step& step, const Mode& mode);
  /// The list of events has been cleared.
  void forget() { told_ = 0; }

 private:
  [[nodiscard]] std::vector<RunEvent> next();

  const SimulateOptions& options_;
  const Trajectory& run_;
  Dynamics& dynamics_;
  std::size_t told_ = 0;  ///< number of events in the trajectory that have been told
};

[[nodiscard]] double time_of(const RunEvent& event);

}  // namespace vinculum::sim
