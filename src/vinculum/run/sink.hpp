#pragma once

#include "vinculum/integrate/integrator.hpp"
#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// A stretch of the motion that the run has taken: an accepted step, up to its end or to the event that ends it.
struct Stretch {
  const integrate::Step& step;
  double t_end;                       ///< of the stretch
  const Vector& y_end;                ///< the state there, projected
  const integrate::Problem& problem;  ///< what errors are measured by; whether states are projected
  double tolerance;                   ///< at which the step was taken
  Dynamics& dynamics;                 ///< rates,
  const Mode& mode;                   ///< in this mode
};

/// Takes what a run sees of its motion, in the order of time, each as it is reached.
class Sink {
 public:
  virtual ~Sink() = default;
  /// Full reports in addition to samples. Each costs a pivoted solve, so they are made only if a sink asks for them.
  struct Wants {
    bool states = false;
    bool nodes = false;
  };
  [[nodiscard]] virtual Wants wants() const { return {}; }

  /// At the output times, at the start, and at the last state.
  virtual void sample(const Sample&) {}
  /// At the start, after every accepted step, and at every sample.
  virtual void state(const Sample&) {}
  /// At the nodes of a Gauss rule (five) between any two instants that `state` sees, ahead of the second of them, with
  /// the weight [s] that the value there has in an integral over the time between.
  virtual void node(const Sample&, double /*weight*/) {}
  /// The state jumps at an event: a report of it before and one after, if a sink wants states.
  virtual void jumped(const Sample& /*before*/, const Sample& /*after*/) {}
  /// Each stretch, ahead of what the event behind it does. Looks at states alone.
  virtual void passed(const Stretch&) {}
  /// At least every accepted step.
  virtual void reached(double /*t*/) {}
};

}  // namespace vinculum::sim
