#pragma once

#include "vinculum/integrate/integrator.hpp"
#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// A stretch of the motion: an accepted step up to its end, or up to the event that ends it.
struct Stretch {
  const integrate::Step& step;
  double t_end;                       ///< end of the stretch
  const Vector& y_end;                ///< projected state at t_end
  const integrate::Problem& problem;  ///< defines the error norm and whether states are projected
  double tolerance;                   ///< tolerance with which the step was taken
  Dynamics& dynamics;                 ///< evaluates rates and forces
  const Mode& mode;                   ///< mode of the stretch
};

/// Receives the samples, states and quadrature nodes of a run in the order of time, as the run reaches them.
class Sink {
 public:
  virtual ~Sink() = default;
  /// Kinds of reports, in addition to samples, that a sink requests. A report may cost a solve, so it is made only if
  /// some sink requests it.
  struct Wants {
    bool states = false;
    bool nodes = false;
  };
  [[nodiscard]] virtual Wants wants() const { return {}; }

  /// Called at the output times, at the start, and at the last state.
  virtual void sample(const Sample&) {}
  /// Called at the start, after every accepted step, and at every sample.
  virtual void state(const Sample&) {}
  /// Called at the five nodes of a Gauss rule between any two instants of `state`, before the second of them.
  /// \param weight  [s] weight of the node in an integral over the time between the two instants
  virtual void node(const Sample&, double /*weight*/) {}
  /// Called if the state jumps at an event. `set`: the event sets states; called with the state after it. `jumped`:
  /// called with a report before and after the jump, but only if some sink requests states.
  virtual void set(const Vector& /*after*/) {}
  virtual void jumped(const Sample& /*before*/, const Sample& /*after*/) {}
  /// Called for each stretch, before the event that ends the stretch takes effect.
  virtual void passed(const Stretch&) {}
  /// Called at least for every accepted step.
  virtual void reached(double /*t*/) {}
};

}  // namespace vinculum::sim
