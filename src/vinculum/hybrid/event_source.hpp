#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/hybrid/run_record.hpp"
#include "vinculum/hybrid/watched.hpp"
#include "vinculum/integrate/event.hpp"
#include "vinculum/integrate/integrator.hpp"
#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Two times that differ by less than this factor times |t| count as equal: every step is longer than that.
inline constexpr double kLastPlaces = 4.0 * tolerance::kEqual;

/// An event found within an accepted step.
struct Found {
  double t = 0.0;
  integrate::Action action{};
  std::optional<Failure> reason = {};  ///< kStop: why the run ends
  double length = 0.0;  ///< [s] kRetake: size of the next trial step; kChange: size of the next step; kCross: length of
                        ///< the interval after t
  class EventSource* source = nullptr;  ///< the source that found it; set by the run
  bool lands = false;  ///< kChange: the state at t is computed by a separate step to t, not from the dense output
};

/// Typical length of the recent steps.
struct Pace {
  double longest = 0.0;  ///< [s] largest recent step; decays by a tenth per step
  void join(double step) { longest = std::max(step, 0.9 * longest); }
};

/// State and mode from an instant on, as an event source proposes them. The run accepts the proposal as a whole or not
/// at all.
struct Transition {
  double t = 0.0;
  Vector y;                      ///< state after the event
  Mode mode;                     ///< mode from t on
  std::vector<RunEvent> events;  ///< for the trajectory's list of events
  bool sets = false;  ///< the event sets speeds or states: other sources adapt (`follow`), and audits accept the jump
  /// [surfaces; or empty] Sides of surfaces in `when` conditions that follow from the values set by an event; NaN for
  /// other surfaces.
  std::vector<double> decided = {};
  bool records = false;              ///< a sample is taken after the event
  std::optional<Failure> ends = {};  ///< the reason if the run ends with this event
};

/// Finds events of one kind along a run and proposes transitions. A source stores its own data; only the run changes
/// the motion.
class EventSource {
 public:
  virtual ~EventSource() = default;
  /// Called when a run starts.
  /// \param start  proposed start of the run; the source may change it
  /// \returns why the run cannot start; nothing if it can.
  [[nodiscard]] virtual std::optional<Failure> begin(Transition& start, RunRecord& run);
  /// Called instead of `begin` when a run continues from the state and mode in which another run ended. Events at this
  /// instant have happened already. The default calls `begin` and discards its changes.
  /// \param at  state and mode; the source may add to the mode, but must not change the motion
  virtual void resume(Transition& at, RunRecord& run);
  /// Examines an accepted step and appends the events found in it. A failure ends the run.
  [[nodiscard]] virtual Outcome<void> check(const integrate::Step& step, std::vector<Found>& found) = 0;
  /// Called after a step has been accepted in its whole length.
  /// \param mode  mode of the next step; the source updates the values that follow the motion, such as directions of
  /// friction
  virtual void keep(const integrate::Step& step, Mode& mode, RunRecord& run);
  /// Called if an event of this source is the earliest that ends the step, or at a kMark event.
  /// \param to  contains the state and mode before the event; the source sets those after the event. For kMark the run
  /// uses only `to.events`.
  [[nodiscard]] virtual Outcome<void> pass(const Found& found, Transition& to);
  /// Called after an event of another source has changed the state from y_before to `to.y`; this source may adapt the
  /// transition.
  [[nodiscard]] virtual Outcome<void> follow(const Vector& y_before, Transition& to);
  /// [s] The next instant at which a step has to end for this source; infinity if there is none.
  [[nodiscard]] virtual double next_time() const;
  /// Called if no step can be taken from (t, y).
  /// \returns true if the source has changed the mode so that a step may be possible.
  [[nodiscard]] virtual bool gives_way(double t, const Vector& y, Mode& mode);
  /// Called at the end of the run, or when it stops.
  /// \param last  last sample of the run; null if there is none
  virtual void end(RunRecord& run, const Sample* last);
  /// Returns the reason why no step can be taken from (t, y); nothing if the reason is not an event of this source.
  [[nodiscard]] virtual std::optional<Failure> explain(double t, const Vector& y);
};

/// Entry of the list of event sources that a run receives: one kind of events.
struct SourceRow {
  std::string name;
  /// Makes a source for one run; null if the model has no events of this kind.
  std::function<std::unique_ptr<EventSource>(const Watched& run)> make;
};

/// The source of a single event. An event with action kMark is recorded as a Mark each time.
[[nodiscard]] SourceRow source_of(integrate::Event event);

// Each is implemented in a file of its own in sources/.
[[nodiscard]] std::unique_ptr<EventSource> make_inertia_source(const Watched& run);
[[nodiscard]] std::unique_ptr<EventSource> make_sliding_source(const Watched& run);
[[nodiscard]] std::unique_ptr<EventSource> make_stick_slip_source(const Watched& run);
[[nodiscard]] std::unique_ptr<EventSource> make_reaction_source(const Watched& run);
[[nodiscard]] std::unique_ptr<EventSource> make_contact_source(const Watched& run);
[[nodiscard]] std::unique_ptr<EventSource> make_switch_source(const Watched& run);
[[nodiscard]] std::unique_ptr<EventSource> make_timed_event_source(const Watched& run);
[[nodiscard]] std::unique_ptr<EventSource> make_knot_source(const Watched& run);
[[nodiscard]] std::unique_ptr<EventSource> make_rank_source(const Watched& run);
[[nodiscard]] std::unique_ptr<EventSource> make_collapse_source(const Watched& run);
[[nodiscard]] std::unique_ptr<EventSource> make_effort_source(const Watched& run);
[[nodiscard]] std::unique_ptr<EventSource> make_angle_source(const Watched& run);
[[nodiscard]] std::unique_ptr<EventSource> make_nonlinear_speeds_source(const Watched& run);

}  // namespace vinculum::sim
