#include "vinculum/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <optional>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/scales.hpp"
#include "vinculum/compiled/watches.hpp"
#include "vinculum/hybrid/friction_changes.hpp"
#include "vinculum/hybrid/friction_state.hpp"
#include "vinculum/hybrid/setting_off.hpp"
#include "vinculum/motion/law_uniqueness.hpp"
#include "vinculum/motion/rate_rounding.hpp"
#include "vinculum/run/implicit_motion.hpp"
#include "vinculum/run/recording.hpp"
#include "vinculum/run/source_list.hpp"
#include "vinculum/run/stop_reasons.hpp"
#include "vinculum/run/told_events.hpp"

namespace vinculum::sim {
namespace {

using integrate::Action;
using integrate::Continue;
using integrate::Step;

// Largest step in a sliding mode, as a fraction of the run. A body at rest puts no limit on the step, but the forces on
// it still change.
constexpr double kStepAtRest = 1.0 / 250.0;
constexpr double kCrossingFactor = 100.0;  // ratio of successive tolerances with which a crossing is tried
// If steps in a crossing become shorter than this fraction of the remaining stretch, they collapse at a loss of rank in
// the crossing too.
constexpr double kCollapsedPart = 0.05;

Vector joined(const Vector& q, const Vector& u, const Vector& z) {
  Vector y(q.size() + u.size() + z.size());
  y << q, u, z;
  return y;
}

/// Sets the magnitudes relative to which steps measure errors.
void set_scale(integrate::Problem& problem, const Binding& bound, const Vector& scale) {
  problem.beside = scale;
  problem.kind = kinds_of_components(bound);
  const auto has_scale = [](const model::Coordinate& one) { return one.scale.has_value(); };
  if (std::ranges::none_of(bound->model->coordinates, has_scale)) return;
  problem.stated = problem.stated_of_integral = Vector::Zero(scale.size());
  for (int i = 0; i < bound->nq(); ++i) {
    problem.stated[i] = nth(bound->model->coordinates, i).scale.value_or(0.0);
    if (bound->has_identity_kinematics) problem.stated_of_integral[bound->nq() + i] = problem.stated[i];
  }
}

Watched watched(Dynamics& dynamics, const RunState& at, const SimulateOptions& options, const Start& start,
                double t_end) {
  const bool is_continued = start.is_resumed || start.followed || start.t0 > 0.0;
  return {dynamics, at.mode,      options.tolerance, options.duration, options.largest_step,
          t_end,    is_continued, options.inputs};
}

Stopwatch* of(std::optional<Stopwatch>& watch) { return watch ? &*watch : nullptr; }

bool has_ended(const Trajectory& run) { return run.stopped || run.is_interrupted; }

/// Interrupts the run at t if the caller asks for it and t is not its end.
void interrupt_if(bool is_asked, const SimulateOptions& options, double t_end, double t, Trajectory& run) {
  if (is_asked && !run.stopped && !is_reached(options, t_end, t)) run.is_interrupted = true;
}

}  // namespace

/// The loop of a run: passes accepted steps to the event sources and to the recorder, and executes the actions of
/// events. It does not depend on any particular event source.
class Run::Loop {
 public:
  Loop(Dynamics& dynamics, Start start, SimulateOptions options)
      : dynamics_(dynamics),
        options_(std::move(options)),
        begin_(std::chrono::steady_clock::now()),
        t_end_(start.t0 + options_.duration),
        start_(std::move(start)),
        at_{.t = start_.t0, .y = joined(start_.q, start_.u, start_.z), .mode = {}, .t_visited = start_.t0},
        recorder_(dynamics, options_, problem_, at_, start_.t0, trajectory_) {}
  Loop(Dynamics& dynamics, RunMemory memory, SimulateOptions options);
  void go_on();
  [[nodiscard]] const Failure* go_to(double t);
  [[nodiscard]] const Failure* jump(const Vector& y);
  [[nodiscard]] const Failure* stopped() const { return trajectory_.stopped ? &*trajectory_.stopped : nullptr; }
  [[nodiscard]] RunMemory memory() const;
  [[nodiscard]] bool is_over() const { return phase_ == Phase::kOver; }
  [[nodiscard]] const RunState& at() const { return at_; }
  Trajectory end();

 private:
  /// A stretch in which the rounding errors of accelerations exceed the tolerance; it is crossed with a coarser
  /// tolerance.
  struct Crossing {
    double t_end, tolerance;
    Vector reached;  ///< integrate::Problem::reached before the crossing
    double t_before = 0.0;
    Vector y_before = {};
    double length = 0.0;  ///< [s] remaining duration of the stretch when the last trial began
  };
  /// The integration in progress, and the stretch that it integrates.
  struct Progress {
    std::unique_ptr<integrate::Integration> integration;
    double tolerance = 0.0;                   ///< tolerance with which its steps are taken
    long rejected = 0;                        ///< rejected steps that are already counted
    std::optional<SettingOff::Stretch> away;  ///< set in a stretch in which the motion starts from rest
    std::optional<Crossing> crossing;
  };

  [[nodiscard]] Outcome<void> prepare();
  void set_problem();
  void resume();
  void measure();
  void set_scales();
  [[nodiscard]] bool start();
  [[nodiscard]] bool reach(double t);
  [[nodiscard]] bool ask();
  [[nodiscard]] Outcome<void> integrate_to(double t, double tolerance, std::string_view method);
  [[nodiscard]] Outcome<void> integrate_towards(double t);
  [[nodiscard]] Outcome<void> cross(double t);
  [[nodiscard]] Outcome<std::optional<Found>> look_into(const Step& step);
  [[nodiscard]] Outcome<Continue> on_step(const Step& step);
  [[nodiscard]] Outcome<Continue> take(const Step& step);
  [[nodiscard]] Outcome<Continue> end_step(const Step& step);
  [[nodiscard]] Outcome<void> go_on_from_event();
  void stop_at(const Failure& failure, const Step& step);
  void stop(Failure failure);
  void look_for_interruption(double t);

  Dynamics& dynamics_;
  const SimulateOptions options_;
  std::chrono::steady_clock::time_point begin_;
  double t_end_;
  Start start_;
  RunState at_;
  Trajectory trajectory_;
  std::optional<Stopwatch> watch_;  ///< fills `trajectory_.profile`
  integrate::Problem problem_;
  Recorder recorder_;
  SourceList sources_;
  std::optional<Found> ending_;  ///< event that ended the last step
  Progress now_;
  SettingOff setting_off_;
  std::optional<StateAt> failed_in_step_;  ///< last state before a failure inside an accepted step
  std::size_t told_ = 0;                   ///< notes passed to `on_note` so far
  ToldEvents told_events_{options_, trajectory_, dynamics_};
  bool keeps_constraints_ = false;  ///< false: nothing to project onto, except for surfaces of a sliding mode
  enum class Phase { kNew, kOnTheWay, kOver } phase_ = Phase::kNew;
  decltype(integrate::Problem::project) project_ = [this](double t, double* y) {
    return dynamics_.project(at_.mode, t, y);
  };
  Vector y_event_;
};

/// \returns the reason why the friction at the start cannot be determined.
Outcome<void> Run::Loop::prepare() {
  const Binding& bound = dynamics_.binding();
  dynamics_.set_formulation(options_.formulation);
  if (!options_.inputs.empty())
    PlayedInputs(bound, options_.inputs).begin(at_.t, tolerance::kSameTime * options_.duration, at_.y);
  at_.mode = dynamics_.mode();
  if (start_.followed) dynamics_.set_accelerations(at_.mode, *start_.followed);
  Outcome<void> settled;
  if (auto done = settle_friction(dynamics_, at_.mode, at_.t, at_.y.data()); !done) settled = fail(done.error());
  set_scales();
  dynamics_.learn_row_sizes(at_.mode, at_.t, at_.y);
  const bool conserves = options_.conserve && !bound->model->conserved.empty();
  const bool keeps_levels = options_.project && (conserves || !bound->integrals.empty());
  at_.mode.levels.reset();
  if (keeps_levels) dynamics_.keep_levels(at_.mode, at_.t, at_.y, conserves);
  set_problem();
  sources_.make(options_.sources, watched(dynamics_, at_, options_, start_, t_end_));
  return settled;
}

/// Sets the functions that steps call.
void Run::Loop::set_problem() {
  const Binding& bound = dynamics_.binding();
  problem_.size = static_cast<int>(at_.y.size());
  problem_.derivative = [this](double t, const double* y, double* y_dot) {
    ++trajectory_.statistics.evaluations;
    return dynamics_.derivative(at_.mode, t, y, y_dot);
  };
  problem_.look = [this](double t, const double* y, double* y_dot) {
    return dynamics_.derivative(std::as_const(at_.mode), t, y, y_dot);
  };
  problem_.rounding = [this](double t, const double* y, Vector& errors) {
    errors = rounding_of_rates(dynamics_, at_.mode, t, Eigen::Map<const Vector>(y, problem_.size));
  };
  problem_.implicit = [this, implicit = std::shared_ptr<integrate::ImplicitProblem>()]() mutable {
    if (!implicit)
      implicit = implicit_motion(problem_, dynamics_.binding(), at_.mode, trajectory_.statistics.evaluations);
    return implicit;
  };
  const equations::System& system = *bound->system;
  const bool has_hidden = system.higher && !system.higher->hidden.empty();
  const bool keeps_levels = !bound->integrals.empty() || (options_.conserve && !bound->model->conserved.empty());
  keeps_constraints_ = options_.project && (!bound->velocity_rows.empty() || !system.quaternions.empty() ||
                                            keeps_levels || !system.slides.empty() || has_hidden);
}

/// Adds time measurement to the functions that steps call. Runs without a profile do not call this, so they have no
/// overhead.
void Run::Loop::measure() {
  recorder_.measure(*watch_);
  problem_.derivative = [this, own = std::move(problem_.derivative)](double t, const double* y, double* y_dot) {
    const Timed timed(of(watch_), Profile::Part::kRightSides);
    return own(t, y, y_dot);
  };
  project_ = [this, own = std::move(project_)](double t, double* y) {
    const Timed timed(of(watch_), Profile::Part::kProjection);
    return own(t, y);
  };
}

void Run::Loop::set_scales() {
  const Binding& bound = dynamics_.binding();
  const Vector q = at_.y.head(bound->nq());
  const Vector u = at_.y.segment(bound->nq(), bound->nu());
  const Vector q_scale = coordinate_scale(bound, q);
  Vector y_dot = Vector::Zero(at_.y.size());
  if (!dynamics_.derivative(at_.mode, at_.t, at_.y.data(), y_dot.data())) y_dot.setZero();
  const Vector u_dot = y_dot.segment(bound->nq(), bound->nu());
  const Vector u_scale = speed_scale(bound, u, u_dot, q_scale);
  const Vector z = at_.y.tail(bound->nz()), z_dot = y_dot.tail(bound->nz());
  const Vector scale = joined(q_scale, u_scale, state_scale(bound, z, z_dot, q_scale, u_scale));
  dynamics_.set_scale(scale, options_.tolerance);
  at_.mode.knows_sizes = false;
  problem_.reached = at_.y.cwiseAbs();
  set_scale(problem_, bound, scale);
}

/// Ends the motion at a failure inside this step. Records the samples up to the failure, and sets the state at which
/// the motion stops.
void Run::Loop::stop_at(const Failure& failure, const Step& step) {
  StateAt last = recorder_.end_before(failure.t, step);
  stop(failure);
  ending_->t = last.t;
  y_event_ = std::move(last.y);
}

void Run::Loop::stop(Failure failure) {
  trajectory_.is_interrupted = trajectory_.is_out_of_steps = false;
  describe_stop(dynamics_, at_, problem_.beside, t_end_, failure);
  trajectory_.stopped = std::move(failure);
}

Outcome<std::optional<Found>> Run::Loop::look_into(const Step& step) {
  const Timed timed(of(watch_), Profile::Part::kEvents);
  const bool crosses = now_.crossing && step.t_end() - step.t_begin() >= kCollapsedPart * now_.crossing->length;
  return sources_.check(step, at_.mode, crosses, trajectory_);
}

/// Passes new notes on, and checks whether to interrupt the run.
void Run::Loop::look_for_interruption(double t) {
  for (; told_ < trajectory_.notes.size(); ++told_)
    if (options_.on_note) options_.on_note(trajectory_.notes[told_]);
  if (trajectory_.stopped || is_reached(options_, t_end_, t)) return;
  trajectory_.is_out_of_steps =
      options_.most_steps > 0.0 && static_cast<double>(trajectory_.step_times.size()) >= options_.most_steps;
  interrupt_if(trajectory_.is_out_of_steps || (options_.is_interrupted && options_.is_interrupted()), options_, t_end_,
               t, trajectory_);
}

/// Handles an accepted step. If it cannot be handled, the motion ends at the time of the failure, and later events have
/// not happened.
Outcome<Continue> Run::Loop::on_step(const Step& step) {
  auto went_on = take(step);
  if (went_on) return went_on;
  failed_in_step_ = recorder_.end_before(went_on.error().t, step);
  trajectory_.step_times.back() = failed_in_step_->t;
  if (!(failed_in_step_->t > step.t_begin())) trajectory_.step_times.pop_back();
  return went_on;
}

Outcome<Continue> Run::Loop::take(const Step& step) {
  trajectory_.step_times.push_back(step.t_end());
  auto ending = look_into(step);
  if (!ending) return fail(ending.error());
  ending_ = std::move(*ending);
  const bool is_whole = !ending_ || ending_->action == Action::kCross;
  if (!is_whole) return end_step(step);
  problem_.reached = problem_.reached.cwiseMax(step.y_end().cwiseAbs());
  at_.t_before = step.t_begin();
  at_.y_before = step.y_begin();
  sources_.keep(step, at_.mode, trajectory_);
  recorder_.pass(step, step.t_end(), step.y_end(), now_.tolerance);
  if (auto done = recorder_.follow(step, step.t_end()); !done) return fail(done.error());
  if (auto done = recorder_.reach(step.t_end(), step.y_end()); !done) return fail(done.error());
  look_for_interruption(step.t_end());
  interrupt_if(told_events_.tell_inside(step, at_.mode), options_, t_end_, step.t_end(), trajectory_);
  return ending_ || trajectory_.is_interrupted ? Continue::kNo : Continue::kYes;
}

/// Ends the step at an event: records the samples up to the event, and finds the state from which the motion continues.
/// If only a less accurate state than the end of a step is available there, the step is repeated so that it ends at the
/// event.
Outcome<Continue> Run::Loop::end_step(const Step& step) {
  Found& event = *ending_;
  const bool is_inside = event.action == Action::kChange && event.t < step.t_end();
  if (is_inside) {
    const auto found = event.lands ? step.step_to(event.t, y_event_) : step.interpolate(event.t, y_event_);
    if (!found && !event.lands) return fail(found.error());
    if (!found) event = {step.t_begin(), Action::kRetake, {}, event.t - step.t_begin()};
  }
  if (event.action == Action::kRetake) {
    trajectory_.step_times.pop_back();
    y_event_ = step.y_begin();
    return Continue::kNo;
  }
  trajectory_.step_times.back() = event.t;
  if (event.action == Action::kStop) {
    stop_at(*event.reason, step);
    (void)told_events_.tell_inside(step, at_.mode);
    return Continue::kNo;
  }
  if (auto done = recorder_.follow(step, event.t); !done) return fail(done.error());
  if (!is_inside)
    y_event_ = step.y_end();
  else if (const auto moved = dynamics_.project(at_.mode, event.t, y_event_.data()); !moved)
    return fail(moved.error());
  recorder_.pass(step, event.t, y_event_, now_.tolerance);
  problem_.reached = problem_.reached.cwiseMax(y_event_.cwiseAbs());
  if (auto done = recorder_.reach(event.t, y_event_); !done) return fail(done.error());
  interrupt_if(told_events_.tell_inside(step, at_.mode), options_, t_end_, event.t, trajectory_);
  return Continue::kNo;
}

/// Continues from the state at the event.
Outcome<void> Run::Loop::go_on_from_event() {
  const Found& event = *ending_;
  at_.t = event.t;
  at_.y = y_event_;
  at_.next_step = event.length;
  look_for_interruption(at_.t);
  if (event.action != Action::kChange) return {};
  Transition to{event.t, y_event_, at_.mode, {}};
  auto passed = event.source->pass(event, to);
  if (passed) passed = sources_.follow(event.source, y_event_, to);
  if (passed) {
    record_changes(dynamics_, at_.mode, to.mode, to);
    at_.y = std::move(to.y);
    std::swap(at_.mode, to.mode);
    std::ranges::move(to.events, std::back_inserter(trajectory_.events));
    if (at_.y != y_event_) passed = recorder_.jump(at_.t, to.mode, y_event_, to.sets);
    const bool is_last = to.ends || is_reached(options_, t_end_, at_.t);
    if (passed && (to.records || (is_last && at_.y != y_event_))) passed = recorder_.sample(at_.t, at_.y);
    if (passed && to.ends) stop(*std::move(to.ends));
    interrupt_if(told_events_.tell(y_event_, at_.y), options_, t_end_, at_.t, trajectory_);
  }
  setting_off_.note(dynamics_, at_.mode, at_.t, at_.y);
  return passed;
}

bool Run::Loop::start() {
  const auto constraints = static_cast<Eigen::Index>(dynamics_.binding()->model->constraints.size());
  trajectory_.worst_residual = Vector::Zero(constraints);
  trajectory_.worst_residual_t = Vector::Constant(constraints, at_.t);
  std::optional<Failure> reason;
  const Vector y_before = at_.y;
  if (start_.is_resumed)
    sources_.resume(options_.sources, watched(dynamics_, at_, options_, start_, t_end_), at_, trajectory_);
  else
    reason = sources_.begin(at_, trajectory_);
  const auto sampled = recorder_.sample(at_.t, at_.y);
  if (!reason && !sampled) reason = sampled.error();
  if (!reason) reason = undetermined_by_law(dynamics_, at_.mode, at_.t, at_.y, trajectory_.samples.back());
  if (reason) stop(std::move(*reason));
  setting_off_.note(dynamics_, at_.mode, at_.t, at_.y);
  interrupt_if(told_events_.tell(y_before, at_.y), options_, t_end_, at_.t, trajectory_);
  return !has_ended(trajectory_);
}

/// Integrates up to t. An integration that was interrupted is continued.
Outcome<void> Run::Loop::integrate_to(double t, double tolerance, std::string_view method) {
  const std::size_t steps_before = trajectory_.step_times.size();
  const Timed timed(of(watch_), Profile::Part::kSteps);
  if (!now_.integration) {
    integrate::Options options;
    options.method = method;
    options.methods = options_.methods;
    options.tolerance = now_.tolerance = tolerance;
    options.first_step = at_.next_step;
    const bool is_along = !at_.mode.along.empty();
    if (is_along) options.largest_step = options_.duration * kStepAtRest;
    if (options_.largest_step > 0.0 && !(options.largest_step > 0.0 && options.largest_step < options_.largest_step))
      options.largest_step = options_.largest_step;
    problem_.project = keeps_constraints_ || is_along ? project_ : nullptr;
    now_.integration = std::make_unique<integrate::Integration>(problem_, options, at_.t, at_.y, t);
    now_.rejected = 0;
  }
  ending_.reset();
  failed_in_step_.reset();
  const auto done = now_.integration->go_on([this](const Step& step) { return on_step(step); });
  at_.t = now_.integration->t();
  at_.y = now_.integration->y();
  if (failed_in_step_) at_.t = failed_in_step_->t, at_.y = failed_in_step_->y;
  integrate::Statistics& total = trajectory_.statistics;
  total.steps += static_cast<long>(trajectory_.step_times.size() - steps_before);
  const integrate::Statistics& own = now_.integration->statistics();
  total.rejected += own.rejected - now_.rejected;
  now_.rejected = own.rejected;
  if (done) at_.next_step = own.next_step;
  const bool is_left = done && trajectory_.is_interrupted && !ending_;
  if (!is_left) now_.integration.reset();
  if (!done) return fail(done.error());
  const bool is_event = ending_ && ending_->action != Action::kCross;
  return is_event ? go_on_from_event() : Outcome<void>();
}

/// Integrates one stretch in the direction of t; the stretch may end earlier.
Outcome<void> Run::Loop::integrate_towards(double t) {
  t = std::min(t, sources_.next_time());
  if (!now_.integration) {
    now_.away = setting_off_.next(dynamics_, at_.mode, at_.t, at_.y, options_.method, options_.methods, problem_);
    if (now_.away) {
      problem_.reached.swap(now_.away->reached);
      problem_.beside.swap(now_.away->beside);
    }
  }
  if (!now_.away) return integrate_to(t, options_.tolerance, options_.method);
  auto done = integrate_to(std::min(t, now_.away->t_end), options_.tolerance, now_.away->method);
  if (now_.integration) return done;
  problem_.reached = now_.away->reached.cwiseMax(at_.y.cwiseAbs());
  problem_.beside.swap(now_.away->beside);
  return done;
}

/// Crosses a stretch in which the rounding errors of accelerations exceed the tolerance. It takes one or two steps at a
/// tolerance above these errors. If the steps collapse again, the tolerance is raised and the stretch is repeated.
/// Errors are relative to the magnitudes of the whole motion.
Outcome<void> Run::Loop::cross(double t) {
  const double coarsest = std::max(options_.tolerance, tolerance::kCoarsestCrossing);
  if (!now_.crossing) {
    const double first = std::clamp(kCrossingFactor * options_.tolerance, tolerance::kFinestCrossing, coarsest);
    now_.crossing = Crossing{std::min(t, at_.t + ending_->length), first, problem_.reached};
    problem_.reached = problem_.reached.cwiseMax(problem_.beside);
  }
  Outcome<void> done;
  for (;;) {
    if (!now_.integration) {
      at_.next_step = 0.5 * (now_.crossing->length = now_.crossing->t_end - at_.t);
      now_.crossing->t_before = at_.t;
      now_.crossing->y_before = at_.y;
    }
    done = integrate_to(now_.crossing->t_end, now_.crossing->tolerance, options_.method);
    if (now_.integration) return done;
    const bool has_collapsed = done && ending_ && ending_->action == Action::kCross;
    if ((done && !has_collapsed) || trajectory_.stopped) break;
    now_.crossing->tolerance *= kCrossingFactor;
    if (now_.crossing->tolerance > tolerance::kCoarsestCrossing) break;
    if (at_.t == now_.crossing->t_before) at_.y = now_.crossing->y_before;
    if (trajectory_.is_interrupted) return done;
  }
  problem_.reached = now_.crossing->reached.cwiseMax(at_.y.cwiseAbs());
  now_.crossing.reset();
  if (ending_ && ending_->action == Action::kCross) ending_.reset();
  return done;
}

/// Integrates until the last step ends at t, or until the run stops or is interrupted.
bool Run::Loop::reach(double t) {
  Outcome<void> done;
  do {
    const bool crosses = now_.crossing || (ending_ && ending_->action == Action::kCross);
    done = crosses ? cross(std::min(t, sources_.next_time())) : integrate_towards(t);
    if (!done && !has_ended(trajectory_) && !failed_in_step_) {
      at_.next_step = 0.0;
      if (sources_.give_way(at_)) done = {};
    }
  } while (done && !has_ended(trajectory_) && !is_reached(options_, t, at_.t));
  if (done || trajectory_.stopped) return !has_ended(trajectory_);
  Failure failure = done.error();
  if (failure.kind != FailureKind::kUndetermined && failure.statements.empty()) {
    std::optional<Failure> cause = sources_.explain(at_);
    if (cause && failed_in_step_) cause->t = failure.t;
    if (cause) failure = std::move(*cause);
  }
  stop(std::move(failure));
  return false;
}

bool Run::Loop::ask() {
  if (auto done = recorder_.ask(); !done) stop(std::move(done.error()));
  return !trajectory_.stopped;
}

void Run::Loop::go_on() {
  if (is_over()) return;
  trajectory_.is_interrupted = trajectory_.is_out_of_steps = false;
  bool goes_on = true;
  if (phase_ == Phase::kNew) {
    trajectory_.tolerance = options_.tolerance;
    if (options_.is_profiled) watch_.emplace(trajectory_.profile.emplace());
    const auto prepared = prepare();
    if (watch_) measure();
    for (const std::string& text : start_.by_chance)
      trajectory_.notes.push_back({"start", at_.t, text, "", "", 0.0, 0.0});
    if (!prepared) stop(prepared.error());
    goes_on = prepared && start() && ask() && !is_reached(options_, t_end_, at_.t);
  }
  if (goes_on && reach(t_end_)) (void)ask();
  phase_ = trajectory_.is_interrupted ? Phase::kOnTheWay : Phase::kOver;
}

Run::Loop::Loop(Dynamics& dynamics, RunMemory memory, SimulateOptions options)
    : Loop(dynamics, Start{memory.t, {}, {}, {}}, (options.duration = memory.duration, std::move(options))) {
  dynamics_.set_formulation(options_.formulation);
  dynamics_.sizes() = std::move(memory.sizes);
  at_.y = std::move(memory.y);
  at_.mode = std::move(memory.mode);
  at_.next_step = memory.next_step;
  setting_off_.set_times(memory.setting_off);
  problem_.reached = std::move(memory.reached);
  set_scale(problem_, dynamics_.binding(), dynamics_.scale());
  set_problem();
  const auto constraints = static_cast<Eigen::Index>(dynamics_.binding()->model->constraints.size());
  trajectory_.worst_residual = Vector::Zero(constraints);
  trajectory_.worst_residual_t = Vector::Constant(constraints, at_.t);
  trajectory_.tolerance = options_.tolerance;
  phase_ = Phase::kOnTheWay;
}

RunMemory Run::Loop::memory() const {
  RunMemory memory{at_.t,
                   at_.y,
                   at_.mode,
                   at_.next_step,
                   options_.duration,
                   problem_.reached,
                   dynamics_.sizes(),
                   setting_off_.times()};
  memory.mode.faces.clear();
  memory.mode.are_faces_complete = false;
  return memory;
}

/// Discards all data that `memory` does not contain, and creates the event sources again.
void Run::Loop::resume() {
  now_ = Progress{};
  set_problem();  // the functions for implicit methods remember earlier steps
  ending_.reset();
  failed_in_step_.reset();
  trajectory_.events.clear();
  trajectory_.notes.clear();
  trajectory_.step_times.clear();
  told_ = 0;
  told_events_.forget();
  sources_.resume(options_.sources, watched(dynamics_, at_, options_, start_, t_end_), at_, trajectory_);
  trajectory_.notes.clear();
}

const Failure* Run::Loop::go_to(double t) {
  if (is_over()) return stopped();
  t_end_ = t;
  if (phase_ == Phase::kNew) {
    go_on();
  } else {
    trajectory_.is_interrupted = trajectory_.is_out_of_steps = false;
    resume();
    (void)reach(t_end_);
  }
  phase_ = trajectory_.stopped ? Phase::kOver : Phase::kOnTheWay;
  return stopped();
}

const Failure* Run::Loop::jump(const Vector& y) {
  VINCULUM_EXPECTS(phase_ != Phase::kNew);
  if (is_over()) return stopped();
  const Binding& bound = dynamics_.binding();
  const bool has_surfaces = bound->watches && bound->watches->surface_count() > 0;
  if (!has_surfaces && bound->system->slides.empty()) {  // no event source depends on the state
    at_.y = y;
    return nullptr;
  }
  resume();
  Transition to{at_.t, y, at_.mode, {}};
  to.sets = true;
  const Vector y_before = at_.y;
  const Outcome<void> done = sources_.follow(nullptr, at_.y, to);
  if (!done) {
    stop(done.error());
  } else {
    at_.y = std::move(to.y);
    std::swap(at_.mode, to.mode);
    std::ranges::move(to.events, std::back_inserter(trajectory_.events));
    if (to.ends) stop(*std::move(to.ends));
    (void)told_events_.tell(y_before, at_.y);
  }
  setting_off_.note(dynamics_, at_.mode, at_.t, at_.y);
  if (trajectory_.stopped) phase_ = Phase::kOver;
  return stopped();
}

Trajectory Run::Loop::end() {
  auto ended = recorder_.finish();
  if (!ended && !has_ended(trajectory_)) stop(std::move(ended.error()));
  const Sample* last = trajectory_.samples.empty() ? nullptr : &trajectory_.samples.back();
  sources_.end(trajectory_, last);
  trajectory_.counts = at_.mode.counts;
  if (watch_) watch_->give_to(Profile::Part::kStart);
  trajectory_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  return std::move(trajectory_);
}

Run::Run(Dynamics& dynamics, Start start, SimulateOptions options) {
  VINCULUM_EXPECTS(integrate::find_method(options.method, options.methods) != nullptr);
  VINCULUM_EXPECTS(options.duration >= 0.0 && options.tolerance > 0.0);
  loop_ = std::make_unique<Loop>(dynamics, std::move(start), std::move(options));
}
Run::Run(Dynamics& dynamics, RunMemory memory, SimulateOptions options)
    : loop_(std::make_unique<Loop>(dynamics, std::move(memory), std::move(options))) {}
Run::~Run() = default;
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;

bool Run::go_on() {
  loop_->go_on();
  return !loop_->is_over();
}
const Failure* Run::reach(double t) { return loop_->go_to(t); }
const Failure* Run::jump(const Vector& y) { return loop_->jump(y); }
const Failure* Run::stopped() const { return loop_->stopped(); }
RunMemory Run::memory() const { return loop_->memory(); }
double Run::t() const { return loop_->at().t; }
const Vector& Run::y() const { return loop_->at().y; }
const Mode& Run::mode() const { return loop_->at().mode; }
Trajectory Run::end() { return loop_->end(); }

}  // namespace vinculum::sim
