#pragma once

#include <memory>

#include "vinculum/run/memory.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum::sim {

/// A run that can be interrupted after any step and continued. Its motion has the same bits as the motion of
/// `simulate`.
class Run {
 public:
  /// \param dynamics  serves this run until its end; meanwhile others may use it with const modes
  Run(Dynamics& dynamics, Start start, SimulateOptions options);
  /// A run that continues from the memory of another run of the same model with the same options.
  Run(Dynamics& dynamics, RunMemory memory, SimulateOptions options);
  ~Run();
  Run(Run&&) noexcept;
  Run& operator=(Run&&) noexcept;

  /// Runs until the end, or until `SimulateOptions::is_interrupted` or `most_steps` interrupts it.
  /// \returns whether the run can be continued.
  bool go_on();
  /// Runs to time t ≥ `t()`, which becomes the end of the run. Before, everything learned from earlier steps that
  /// `memory` does not hold is forgotten: what follows depends on the memory alone.
  /// \returns why the run ends before t, also at every later call; null if it does not.
  [[nodiscard]] const Failure* reach(double t);
  /// The state jumps to y, as by an event that sets states; events that this causes happen.   \pre the run has begun
  /// \returns why the run ends with the jump; null if it does not.
  [[nodiscard]] const Failure* jump(const Vector& y);
  /// Why the run has ended; null if it goes on.
  [[nodiscard]] const Failure* stopped() const;
  [[nodiscard]] RunMemory memory() const;
  /// Time and state of the last accepted step.
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
