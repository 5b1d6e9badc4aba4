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

/// Of the time: no step ends within them.
inline constexpr double kLastPlaces = 4.0 * tolerance::kEqual;

/// An event found within an accepted step.
struct Found {
  double t = 0.0;
  integrate::Action action{};
  std::optional<Failure> reason = {};   ///< of kStop
  double length = 0.0;                  ///< kRetake: size of the next trial; kCross: of the stretch after t
  class EventSource* source = nullptr;  ///< that found it; set by the run
  bool lands = false;                   ///< kChange: a step of its own ends there, none is read off the dense output
};

/// How long steps have been of late.
struct Pace {
  double longest = 0.0;  ///< forgets a tenth a step
  void join(double step) { longest = std::max(step, 0.9 * longest); }
};

/// What a motion obeys from an instant on, as an event source proposes it: the run takes it over whole, or not at all.
struct Transition {
  double t = 0.0;
  Vector y;                      ///< after the event
  Mode mode;                     ///< from t on
  std::vector<RunEvent> events;  ///< for the trajectory's list
  bool records = false;          ///< a sample is taken after the event
  std::optional<Failure> ends;   ///< why the run ends with the event
};

/// Proposes transitions of one kind along a run. What it remembers is its own; it never changes the motion.
class EventSource {
 public:
  virtual ~EventSource() = default;
  /// A run starts. \param start  as it would without this source.  \returns why it cannot start.
  [[nodiscard]] virtual std::optional<Failure> begin(Transition& start, RunRecord& run);
  /// Looks into an accepted step and appends what it finds. A failure ends the run.
  [[nodiscard]] virtual Outcome<void> check(const integrate::Step& step, std::vector<Found>& found) = 0;
  /// The step stands whole. \param mode  in which the next one begins: directions and the like follow the motion.
  virtual void keep(const integrate::Step& step, Mode& mode, RunRecord& run);
  /// What it found happens, nothing earlier ended the step. \param to  as the motion is ahead of it; with kMark only
  /// its events count.
  [[nodiscard]] virtual Outcome<void> pass(const Found& found, Transition& to);
  /// Another source has changed the state from y_before to that of the transition.
  [[nodiscard]] virtual Outcome<void> follow(const Vector& y_before, Transition& to);
  /// [s] The next instant at which a step has to end for this source; infinity if there is none.
  [[nodiscard]] virtual double next_time() const;
  /// No step could be taken from (t, y). Returns true if the source has changed the mode so that a step may be
  /// possible.
  [[nodiscard]] virtual bool gives_way(double t, const Vector& y, Mode& mode);
  /// The run is at its end, or stopped. \param last  sample of the run; null where it has none.
  virtual void end(RunRecord& run, const Sample* last);
  /// Why no step could be taken from (t, y), where this is the cause.
  [[nodiscard]] virtual std::optional<Failure> explain(double t, const Vector& y);
};

/// A kind of events as a row of the list that a run is handed.
struct SourceRow {
  std::string name;
  /// A source for one run; null where the model has nothing of the kind.
  std::function<std::unique_ptr<EventSource>(const Watched& run)> make;
};

/// The row of a single event. At kMark it is noted as a Mark each time.
[[nodiscard]] SourceRow source_of(integrate::Event event);

// One file each.
[[nodiscard]] std::unique_ptr<EventSource> make_inertia_source(const Watched& run);
[[nodiscard]] std::unique_ptr<EventSource> make_sliding_source(const Watched& run);
[[nodiscard]] std::unique_ptr<EventSource> make_stick_slip_source(const Watched& run);
[[nodiscard]] std::unique_ptr<EventSource> make_reaction_source(const Watched& run);
[[nodiscard]] std::unique_ptr<EventSource> make_switch_source(const Watched& run);
[[nodiscard]] std::unique_ptr<EventSource> make_timed_event_source(const Watched& run);
[[nodiscard]] std::unique_ptr<EventSource> make_knot_source(const Watched& run);
[[nodiscard]] std::unique_ptr<EventSource> make_rank_source(const Watched& run);
[[nodiscard]] std::unique_ptr<EventSource> make_collapse_source(const Watched& run);
[[nodiscard]] std::unique_ptr<EventSource> make_effort_source(const Watched& run);
[[nodiscard]] std::unique_ptr<EventSource> make_angle_source(const Watched& run);
[[nodiscard]] std::unique_ptr<EventSource> make_nonlinear_speeds_source(const Watched& run);

}  // namespace vinculum::sim
