#pragma once

#include <memory>

#include "vinculum/run/simulate.hpp"

namespace vinculum::sim {

/// A run that may be left after any step and gone on with. Its motion is that of `simulate`, to the bit.
class Run {
 public:
  /// \param dynamics  serves this run until its end; others may look at states with it in the meantime.
  Run(Dynamics& dynamics, Start start, SimulateOptions options);
  ~Run();
  Run(Run&&) noexcept;
  Run& operator=(Run&&) noexcept;

  /// Until the end, or until `SimulateOptions::is_interrupted` or `most_steps` says so.
  /// \returns whether the motion goes on from here.
  bool go_on();
  /// Time and state of the last accepted step.
  [[nodiscard]] double t() const;
  [[nodiscard]] const Vector& y() const;
  [[nodiscard]] const Mode& mode() const;
  /// Closes the samples. To be called once, last.
  [[nodiscard]] Trajectory end();

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace vinculum::sim
