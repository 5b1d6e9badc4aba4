#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/integrate/inner_states.hpp"
#include "vinculum/run/profile.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum::sim {

/// All data that change along a run, except for the data that event sources store.
struct RunState {
  double t = 0.0;
  Vector y;
  Mode mode;
  double next_step = 0.0;      ///< size of the next trial step; 0: the method's proposal
  long next_output = 1;        ///< number of the next sample
  std::size_t next_asked = 0;  ///< index of the next requested sample time, in ascending order of time
  double t_reported = 0.0;     ///< time of the last state that sinks have received
  double t_visited = 0.0;      ///< time up to which the quadrature nodes have been passed to the sinks
  double t_before = 0.0;       ///< start of the last step
  Vector y_before = {};        ///< state at t_before
};

/// A state and its time.
struct StateAt {
  double t = 0.0;
  Vector y;
};

/// Whether t is at or after `time`. Two times are equal if they differ by less than `tolerance::kSameTime` × the
/// duration of the run.
[[nodiscard]] bool is_reached(const SimulateOptions& options, double time, double t);

/// Computes the samples, states and quadrature nodes that the sinks request.
class Recorder {
 public:
  /// \param problem  its `project` may be empty
  Recorder(Dynamics& dynamics, const SimulateOptions& options, const integrate::Problem& problem, RunState& at,
           double t_start, Trajectory& run);

  /// From here on, measures the time that the recorder takes.
  /// \param watch  must outlive this object
  void measure(Stopwatch& watch) { watch_ = &watch; }
  /// Records a sample of the state.
  [[nodiscard]] Outcome<void> sample(double t, const Vector& y);
  /// Records samples and nodes within an accepted step, up to `until`.
  [[nodiscard]] Outcome<void> follow(const integrate::Step& step, double until);
  /// Reports a stretch to the sinks: an accepted step up to its end, or up to the event that ends it.
  void pass(const integrate::Step& step, double t_end, const Vector& y_end, double tolerance);
  /// Reports the state at the end of a step or at an event, which need not be a sample.
  [[nodiscard]] Outcome<void> reach(double t, const Vector& y);
  /// Reports a jump at time t from the state y in the given mode to the current state of the run.
  [[nodiscard]] Outcome<void> jump(double t, const Mode& mode, const Vector& y, bool is_set);
  /// Records the samples up to t of a motion that ends at t within an accepted step.
  /// \returns the last state before t for which accelerations and forces can be reported. It lies 1e-6 of the step
  /// before t if reactions exist there. If no state inside the step can be reported, it is the start of the step.
  [[nodiscard]] StateAt end_before(double t, const integrate::Step& step);
  /// Records the requested sample at the start or at the end of the run, if one is requested there. Fails if its
  /// results are not finite.
  [[nodiscard]] Outcome<void> ask();
  /// Records the last sample. It is at the end of the last step or, if the motion stops because the end of that step
  /// has no reactions, at the start of that step.
  /// \returns the reason why the end cannot be reported, if it cannot.
  Outcome<void> finish();

 private:
  [[nodiscard]] double time_of_output() const;
  [[nodiscard]] double time_asked() const;
  enum class InRow { kNo, kYes };  ///< whether an instant is one of many that are one sample interval apart
  [[nodiscard]] Outcome<void> state_at(const integrate::Step& step, double t, InRow in_row);
  [[nodiscard]] Outcome<void> report(double t, const Vector& y, Sample& sample);
  [[nodiscard]] Outcome<void> show_at(double t, const Vector& y);
  [[nodiscard]] std::optional<StateAt> valid_state(const integrate::Step& step, double t);
  void keep_asked(const Sample& sample);
  void keep();
  [[nodiscard]] Outcome<void> visit_nodes(const integrate::Step& step, double until);
  void show(const Sample& sample, bool is_sample);

  Dynamics& dynamics_;
  const SimulateOptions& options_;
  const integrate::Problem& problem_;
  RunState& at_;
  double t_start_, output_step_;
  Trajectory& run_;
  std::vector<std::unique_ptr<Sink>> own_;  ///< sinks that fill the trajectory
  std::vector<Sink*> sinks_;
  Sink::Wants wants_;
  std::vector<std::size_t> order_;            ///< [sample_times] their order in time
  std::vector<std::optional<Sample>> asked_;  ///< [sample_times] the samples that were reached so far
  integrate::InnerStates inner_;
  Vector y_inside_;
  std::unique_ptr<Sample> sample_ = std::make_unique<Sample>();  ///< the current sample
  std::unique_ptr<Sample> last_ = std::make_unique<Sample>();    ///< the last sample, if not all samples are kept
  bool has_last_ = false;
  double t_kept_ = 0.0;  ///< time of the last sample that was kept
  Stopwatch* watch_ = nullptr;
};

}  // namespace vinculum::sim
