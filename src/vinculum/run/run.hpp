#pragma once

#include <memory>

#include "vinculum/run/memory.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum::sim {

/// A run that can be interrupted after any step and continued. Its motion has the same bits as the motion computed by
/// `simulate`.
class Run {
 public:
  /// \param dynamics  used by this run until its end; others may use it at the same time with const modes
  Run(Dynamics& dynamics, Start start, SimulateOptions options);
  /// A run that continues from the memory of another run of the same model with the same options.
  Run(Dynamics& dynamics, RunMemory memory, SimulateOptions options);
  ~Run();
  Run(Run&&) noexcept;
  Run& operator=(Run&&) noexcept;

  /// Runs until the end, or until `SimulateOptions::is_interrupted` or `most_steps` interrupts the run.
  bool go_on();
  /// Runs to time t ≥ `t()`, which becomes the end of the run. All data from earlier steps that `memory` does not
  /// contain are discarded first, so the result depends on the memory alone.
  /// \returns the reason why the run ends before t, also at every later call; null if it reaches t.
  [[nodiscard]] const Failure* reach(double t);
  /// Sets the state to y, in the same way as an event that sets states. Events whose conditions become true because of
  /// this change happen.
  /// \pre the run has begun
  /// \returns the reason why the run ends with the jump; null if it does not end.
  [[nodiscard]] const Failure* jump(const Vector& y);
  /// Returns the reason why the run has ended; null if it has not.
  [[nodiscard]] const Failure* stopped() const;
  [[nodiscard]] RunMemory memory() const;
  /// Returns the time and state of the last accepted step.
  [[nodiscard]] double t() const;
  [[nodiscard]] const Vector& y() const;
  [[nodiscard]] const Mode& mode() const;
  /// Records the last sample and returns the trajectory. Call once, as the last function.
  [[nodiscard]] Trajectory end();

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace vinculum::sim
