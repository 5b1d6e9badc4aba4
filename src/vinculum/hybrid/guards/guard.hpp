#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/hybrid/run_record.hpp"
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
  std::optional<Failure> reason = {};  ///< of kStop
  double length = 0.0;                 ///< kRetake: size of the next trial; kCross: of the stretch behind t
  class Guard* guard = nullptr;        ///< that found it; set by the run
  bool lands = false;                  ///< kChange: a step of its own ends there, none is read off the dense output
};

/// How long steps have been of late.
struct Pace {
  double longest = 0.0;  ///< forgets a tenth a step
  void join(double step) { longest = std::max(step, 0.9 * longest); }
};

/// Watches for events of one kind along a run. What it remembers is its own; it changes the motion in `pass` alone.
class Guard {
 public:
  virtual ~Guard() = default;
  /// A run starts at (t, y). \returns why it cannot.
  [[nodiscard]] virtual std::optional<Failure> begin(double t, const Vector& y, RunRecord& run);
  /// Looks into an accepted step and appends what it finds. A failure ends the run.
  [[nodiscard]] virtual Outcome<void> check(const integrate::Step& step, std::vector<Found>& found) = 0;
  /// The step stands whole.
  virtual void keep(const integrate::Step& step, RunRecord& run);
  /// What it found happens, nothing earlier ended the step: kMark is noted, kChange changes what the motion obeys from
  /// (t, y) on.
  [[nodiscard]] virtual Outcome<void> pass(const Found& found, Vector& y, RunRecord& run);
  /// No step could be taken from (t, y): whether it has changed what stands in the way, so that another try is worth
  /// it.
  [[nodiscard]] virtual bool gives_way(double t, const Vector& y);
  /// The run is at its end, or stopped. \param last  sample of the run; null where it has none.
  virtual void end(RunRecord& run, const Sample* last);
  /// Why no step could be taken from (t, y), where this is the cause.
  [[nodiscard]] virtual std::optional<Failure> explain(double t, const Vector& y);
};

/// What a guard is made for. Scales are set in `dynamics`, which outlives it.
struct Watched {
  Dynamics& dynamics;
  double tolerance;           ///< of the run
  double duration;            ///< [s]
  double largest_step = 0.0;  ///< [s] that a step may have; 0: none
};

/// A kind of events as a row of the list that a run is handed.
struct GuardRow {
  std::string name;
  /// A guard for one run; null where the model has nothing of the kind.
  std::function<std::unique_ptr<Guard>(const Watched& run)> make;
};

/// The row of a single event. At kMark it is noted in `RunRecord::marks` each time.
[[nodiscard]] GuardRow guard_of(integrate::Event event);

// One file each.
[[nodiscard]] std::unique_ptr<Guard> make_inertia_guard(const Watched& run);
[[nodiscard]] std::unique_ptr<Guard> make_sliding_guard(const Watched& run);
[[nodiscard]] std::unique_ptr<Guard> make_stick_slip_guard(const Watched& run);
[[nodiscard]] std::unique_ptr<Guard> make_reaction_guard(const Watched& run);
[[nodiscard]] std::unique_ptr<Guard> make_switch_guard(const Watched& run);
[[nodiscard]] std::unique_ptr<Guard> make_knot_guard(const Watched& run);
[[nodiscard]] std::unique_ptr<Guard> make_rank_guard(const Watched& run);
[[nodiscard]] std::unique_ptr<Guard> make_collapse_guard(const Watched& run);
[[nodiscard]] std::unique_ptr<Guard> make_effort_guard(const Watched& run);
[[nodiscard]] std::unique_ptr<Guard> make_angle_guard(const Watched& run);
[[nodiscard]] std::unique_ptr<Guard> make_nonlinear_speeds_guard(const Watched& run);

}  // namespace vinculum::sim
