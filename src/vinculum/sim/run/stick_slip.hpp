#pragma once

#include <optional>
#include <vector>

#include "vinculum/integrate/integrator.hpp"
#include "vinculum/sim/plant/dynamics.hpp"
#include "vinculum/sim/run/trajectory.hpp"

namespace vinculum::sim {

/// Decides, at a start, which velocities of sliding that are zero there stick and in which directions the others set
/// off; in `dynamics.friction()` afterwards. Others take the direction of v. Nothing to do where a model has no slides.
/// \param y  brought to v = 0 of what sticks.
/// \returns kFrictionNoSolution where neither sticking nor sliding agrees with the law, kFrictionManySolutions where
/// both do.
[[nodiscard]] Outcome<void> settle_friction(Dynamics& dynamics, double t, double* y);

/// Follows stick and slip along a run (theory.md §4.6). A sliding velocity that comes to zero within a step ends it
/// there: where the force that would keep it at zero stays within the bound it sticks, else it sets off against that
/// force. What sticks starts to slide where that force exceeds the bound. Both instants are found on the dense output
/// of the step, to rounding.
class FrictionMonitor {
 public:
  /// \param tolerance  of the run.   Scales must be set in `dynamics`.
  FrictionMonitor(Dynamics& dynamics, double tolerance) : dynamics_(dynamics), tolerance_(tolerance) {}

  /// Why the run must not take the step as it is.
  struct Event {
    double t = 0.0;
    std::vector<int> at_rest;   ///< slides whose velocity is zero there
    std::vector<int> released;  ///< slides that stick no longer
    bool is_too_long = false;   ///< a direction has turned about without rest: a shorter step from t will tell
  };
  /// Judges an accepted step; where nothing happens, directions are those at its end afterwards.
  [[nodiscard]] Outcome<std::optional<Event>> check(const integrate::Step& step);
  /// Goes through an event with the state there, projected.
  [[nodiscard]] Outcome<void> pass(const Event& event, double* y, std::vector<FrictionChange>& changes);

 private:
  struct Instant {
    double t = 0.0;
    Vector y, v, size;
    FrictionReading reading;  ///< where something sticks
  };
  [[nodiscard]] Outcome<void> look(const integrate::Step& step, double t, Instant& at);
  /// > 0 while the slide goes on as it does.
  [[nodiscard]] double margin(const Instant& at, int slide) const;
  [[nodiscard]] bool is_over(const Instant& at, int slide) const;
  [[nodiscard]] Outcome<Instant> end_of(const integrate::Step& step, Instant before, Instant after, int slide);
  [[nodiscard]] double speed(const Instant& at, int slide) const;

  Dynamics& dynamics_;
  double tolerance_;
  Vector typical_;             ///< [slides] largest speeds so far
  std::vector<double> times_;  ///< of the last changes
};

}  // namespace vinculum::sim
