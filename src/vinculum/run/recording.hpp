#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/integrate/inner_states.hpp"
#include "vinculum/run/profile.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum::sim {

/// What changes along a run beside the memory of event sources: plain data.
struct RunState {
  double t = 0.0;
  Vector y;
  Mode mode;
  double next_step = 0.0;      ///< that the integrator is to try; 0: as the method proposes
  long next_output = 1;        ///< number of the next sample
  std::size_t next_asked = 0;  ///< and of the next time asked for, in their order in time
  double t_reported = 0.0;     ///< of the last state that sinks have seen
  double t_visited = 0.0;      ///< up to where nodes have been
  double t_before = 0.0;       ///< where the last step began
  Vector y_before = {};        ///< there
};

/// A state and its time.
struct StateAt {
  double t = 0.0;
  Vector y;
};

/// Times that differ by less than `tolerance::kSameTime` of the run are one: whether `time` is not behind t.
[[nodiscard]] bool is_reached(const SimulateOptions& options, double time, double t);

/// Computes what sinks want of a motion.
class Recorder {
 public:
  /// \param project  as in integrate::Problem, may be empty.
  Recorder(Dynamics& dynamics, const SimulateOptions& options, const integrate::Problem& problem, RunState& at,
           double t_start, Trajectory& run);

  /// What it does is measured from here on. \param watch  outlives it.
  void measure(Stopwatch& watch) { watch_ = &watch; }
  /// A sample of the state.
  [[nodiscard]] Outcome<void> sample(double t, const Vector& y);
  /// Samples and nodes within an accepted step, up to `until`.
  [[nodiscard]] Outcome<void> follow(const integrate::Step& step, double until);
  /// An accepted step is taken to its end, or to the event that ends it.
  void pass(const integrate::Step& step, double t_end, const Vector& y_end, double tolerance);
  /// The state between samples that a step or an event has reached.
  [[nodiscard]] Outcome<void> reach(double t, const Vector& y);
  /// The state has jumped at t, to that of the run, from y in a mode.
  [[nodiscard]] Outcome<void> jump(double t, const Mode& mode, const Vector& y);
  /// The motion ends at t within an accepted step: samples up to there, and the last state ahead of t that has a
  /// report, 1e-6 of the step from t where reactions exist up to there; the begin of the step where none has one.
  [[nodiscard]] StateAt end_before(double t, const integrate::Step& step);
  /// At the start and at the end: the sample there, if it was asked for. Fails where its results are not finite.
  [[nodiscard]] Outcome<void> ask();
  /// The last state whose reactions are within reach closes the samples: the end of the last step, or its begin where
  /// the motion stops because the end's are not.   \returns why the end has no report, where it has none.
  Outcome<void> finish();

 private:
  [[nodiscard]] double time_of_output() const;
  [[nodiscard]] double time_asked() const;
  enum class InRow { kNo, kYes };  ///< whether an instant is one of many, a step of samples apart
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
  std::vector<std::unique_ptr<Sink>> own_;  ///< what the trajectory keeps
  std::vector<Sink*> sinks_;
  Sink::Wants wants_;
  std::vector<std::size_t> order_;            ///< [sample_times] in time
  std::vector<std::optional<Sample>> asked_;  ///< [sample_times] those reached so far
  integrate::InnerStates inner_;
  Vector y_inside_;
  std::unique_ptr<Sample> sample_ = std::make_unique<Sample>();  ///< at hand
  std::unique_ptr<Sample> last_ = std::make_unique<Sample>();    ///< kept last, where not all are
  bool has_last_ = false;
  double t_kept_ = 0.0;  ///< of the sample kept last
  Stopwatch* watch_ = nullptr;
};

}  // namespace vinculum::sim
