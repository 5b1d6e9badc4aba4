#pragma once

#include <memory>

#include "vinculum/run/simulate.hpp"

namespace vinculum::sim {

/// A run that can be interrupted after any step and continued. Its motion has the same bits as the motion of
/// `simulate`.
class Run {
 public:
  /// \param dynamics  serves this run until its end; meanwhile others may use it with const modes
  Run(Dynamics& dynamics, Start start, SimulateOptions options);
  ~Run();
  Run(Run&&) noexcept;
  Run& operator=(Run&&) noexcept;

  /// Runs until the end, or until `SimulateOptions::is_interrupted` or `most_steps` interrupts it.
  /// \returns whether the run can be continued.
  bool go_on();
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
