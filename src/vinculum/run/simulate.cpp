#include "vinculum/run/simulate.hpp"

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
#include "vinculum/hybrid/friction_state.hpp"
#include "vinculum/hybrid/setting_off.hpp"
#include "vinculum/motion/law_uniqueness.hpp"
#include "vinculum/run/implicit_motion.hpp"
#include "vinculum/run/recording.hpp"
#include "vinculum/run/stop_reasons.hpp"

namespace vinculum::sim {
namespace {

using integrate::Action;
using integrate::Continue;
using integrate::Step;

// Largest step of a motion along a switching surface, as a fraction of the run: what does not move puts no limit on the
// step, but the forces on it still change.
constexpr double kStepAtRest = 1.0 / 250.0;
constexpr double kCrossingFactor = 100.0;  // of the tolerance
constexpr double kCollapsedPart = 0.05;    // of a stretch that is crossed: steps creep into a loss of rank there too

Vector joined(const Vector& q, const Vector& u, const Vector& z) {
  Vector y(q.size() + u.size() + z.size());
  y << q, u, z;
  return y;
}

/// The run loop: it hands accepted steps to event sources and recorder, and does what the
/// actions of events say. It knows none of them by name.
class Run {
 public:
  Run(Dynamics& dynamics, const Start& start, const SimulateOptions& options)
      : dynamics_(dynamics),
        bound_(dynamics.binding()),
        options_(options),
        begin_(std::chrono::steady_clock::now()),
        t_end_(start.t0 + options.duration),
        at_{.t = start.t0, .y = joined(start.q, start.u, start.z), .mode = {}, .t_visited = start.t0},
        by_chance_(start.by_chance),
        followed_(start.followed),
        recorder_(dynamics, options, problem_, at_, start.t0, trajectory_) {}
  Trajectory to_end();

 private:
  void prepare();
  void measure();
  [[nodiscard]] Stopwatch* watch() { return watch_ ? &*watch_ : nullptr; }
  void set_scales();
  [[nodiscard]] bool start();
  [[nodiscard]] bool reach(double t);
  [[nodiscard]] bool ask();
  [[nodiscard]] bool give_way();
  [[nodiscard]] Outcome<void> integrate_to(double t, double tolerance, std::string_view method);
  [[nodiscard]] Outcome<void> integrate_towards(double t);
  [[nodiscard]] Outcome<void> cross(double t, double length);
  [[nodiscard]] Outcome<std::optional<Found>> look_into(const Step& step);
  [[nodiscard]] Outcome<Continue> on_step(const Step& step);
  [[nodiscard]] Outcome<Continue> take(const Step& step);
  [[nodiscard]] Outcome<Continue> end_step(const Step& step);
  [[nodiscard]] Outcome<void> go_on_from_event();
  void stop_at(const Failure& failure, const Step& step);
  void stop(Failure failure);
  void look_for_interruption(double t);
  [[nodiscard]] bool ends() const { return trajectory_.stopped || trajectory_.is_interrupted; }

  Dynamics& dynamics_;
  const Binding& bound_;
  const SimulateOptions& options_;
  std::chrono::steady_clock::time_point begin_;
  double t_end_;
  RunState at_;
  std::vector<std::string> by_chance_;  ///< of the start
  std::optional<Sample> followed_;      ///< of the start
  Trajectory trajectory_;
  std::optional<Stopwatch> watch_;  ///< of `trajectory_.profile`
  integrate::Problem problem_;
  std::shared_ptr<integrate::ImplicitProblem> implicit_;  ///< where a method has asked for it
  Recorder recorder_;
  std::vector<std::unique_ptr<EventSource>> sources_;
  std::optional<Failure> unsettled_;       ///< why friction at the start has no state
  std::vector<Found> found_;               ///< in the step at hand
  std::optional<Found> ending_;            ///< what ended the last step, or is to be crossed behind it
  double stretch_ = 0.0;                   ///< that is crossed, from where its last trial began; 0 elsewhere
  std::optional<StateAt> failed_in_step_;  ///< last state ahead of what failed in an accepted step, not between steps
  double tolerance_ = 0.0;                 ///< of the steps at hand
  SettingOff setting_off_;
  std::size_t told_ = 0;            ///< notes
  bool keeps_constraints_ = false;  ///< or there is nothing to project onto but surfaces
  decltype(integrate::Problem::project) project_ = [this](double t, double* y) {
    return dynamics_.project(at_.mode, t, y);
  };
  Vector y_event_;
};

void Run::prepare() {
  dynamics_.set_formulation(options_.formulation);
  at_.mode = dynamics_.mode();
  if (followed_) dynamics_.set_accelerations(at_.mode, *followed_);
  if (auto done = settle_friction(dynamics_, at_.mode, at_.t, at_.y.data()); !done) unsettled_ = done.error();
  set_scales();
  dynamics_.learn_row_sizes(at_.mode, at_.t, at_.y);
  const bool conserves = options_.conserve && !bound_->model->conserved.empty();
  const bool keeps_levels = options_.project && (conserves || !bound_->integrals.empty());
  at_.mode.levels.reset();
  if (keeps_levels) dynamics_.keep_levels(at_.mode, at_.t, at_.y, conserves);
  problem_.size = static_cast<int>(at_.y.size());
  problem_.derivative = [this](double t, const double* y, double* y_dot) {
    ++trajectory_.statistics.evaluations;
    return dynamics_.derivative(at_.mode, t, y, y_dot);
  };
  problem_.look = [this](double t, const double* y, double* y_dot) {
    return dynamics_.derivative(std::as_const(at_.mode), t, y, y_dot);
  };
  problem_.implicit = [this] {
    if (!implicit_)
      implicit_ = implicit_motion(problem_, dynamics_.binding(), at_.mode, trajectory_.statistics.evaluations);
    return implicit_;
  };
  const equations::System& system = *bound_->system;
  const bool has_hidden = system.higher && !system.higher->hidden.empty();
  keeps_constraints_ = options_.project && (!bound_->velocity_rows.empty() || !system.quaternions.empty() ||
                                            keeps_levels || !system.slides.empty() || has_hidden);
  for (const SourceRow& row : options_.sources) {
    if (auto source = row.make({dynamics_, at_.mode, options_.tolerance, options_.duration, options_.largest_step}))
      sources_.push_back(std::move(source));
  }
}

/// Wraps what the steps call, so that runs without a profile pay nothing.
void Run::measure() {
  recorder_.measure(*watch_);
  problem_.derivative = [this, own = std::move(problem_.derivative)](double t, const double* y, double* y_dot) {
    const Timed timed(watch(), Profile::Part::kRightSides);
    return own(t, y, y_dot);
  };
  project_ = [this, own = std::move(project_)](double t, double* y) {
    const Timed timed(watch(), Profile::Part::kProjection);
    return own(t, y);
  };
}

void Run::set_scales() {
  const Vector q = at_.y.head(bound_->nq());
  const Vector u = at_.y.segment(bound_->nq(), bound_->nu());
  const Vector q_scale = coordinate_scale(bound_, q);
  Vector y_dot = Vector::Zero(at_.y.size());
  if (!dynamics_.derivative(at_.mode, at_.t, at_.y.data(), y_dot.data())) y_dot.setZero();
  const Vector u_dot = y_dot.segment(bound_->nq(), bound_->nu());
  const Vector u_scale = speed_scale(bound_, u, u_dot, q_scale);
  const Vector z = at_.y.tail(bound_->nz()), z_dot = y_dot.tail(bound_->nz());
  const Vector scale = joined(q_scale, u_scale, state_scale(bound_, z, z_dot, q_scale, u_scale));
  dynamics_.set_scale(scale, options_.tolerance);
  at_.mode.knows_sizes = false;
  problem_.reached = at_.y.cwiseAbs();
  problem_.beside = scale;
  problem_.kind = kinds_of_components(bound_);
  const auto has_scale = [](const model::Coordinate& one) { return one.scale.has_value(); };
  if (std::ranges::none_of(bound_->model->coordinates, has_scale)) return;
  problem_.stated = problem_.stated_of_integral = Vector::Zero(at_.y.size());
  for (int i = 0; i < bound_->nq(); ++i) {
    problem_.stated[i] = nth(bound_->model->coordinates, i).scale.value_or(0.0);
    if (bound_->has_identity_kinematics) problem_.stated_of_integral[bound_->nq() + i] = problem_.stated[i];
  }
}

/// The motion ends inside this step: samples up to there, and the state at the stop.
void Run::stop_at(const Failure& failure, const Step& step) {
  StateAt last = recorder_.end_before(failure.t, step);
  stop(failure);
  ending_->t = last.t;
  y_event_ = std::move(last.y);
}

void Run::stop(Failure failure) {
  describe_stop(dynamics_, at_, problem_.beside, t_end_, failure);
  trajectory_.stopped = std::move(failure);
}

/// What ends an accepted step, of all that event sources find in it. Marks ahead of that are noted.
Outcome<std::optional<Found>> Run::look_into(const Step& step) {
  const Timed timed(watch(), Profile::Part::kEvents);
  std::optional<Found> ending;
  found_.clear();
  for (const auto& source : sources_) {
    const std::size_t first = found_.size();
    if (auto done = source->check(step, found_); !done && !ending) return fail(done.error());
    for (std::size_t i = first; i < found_.size(); ++i) {
      Found& found = found_[i];
      found.source = source.get();
      const bool goes_on = stretch_ > 0.0 && step.t_end() - step.t_begin() >= kCollapsedPart * stretch_;
      if (found.action == Action::kMark || (goes_on && found.action == Action::kCross)) continue;
      if (!ending || found.t < ending->t) ending = found;
    }
  }
  for (const Found& mark : found_) {
    if (mark.action != Action::kMark || (ending && mark.t > ending->t)) continue;
    Transition to{mark.t, y_event_, at_.mode, {}};
    if (auto done = mark.source->pass(mark, to); !done) return fail(done.error());
    std::ranges::move(to.events, std::back_inserter(trajectory_.events));
  }
  return ending;
}

/// Tells what there is to tell, and asks whether to go on.
void Run::look_for_interruption(double t) {
  for (; told_ < trajectory_.notes.size(); ++told_)
    if (options_.on_note) options_.on_note(trajectory_.notes[told_]);
  if (is_reached(options_, t_end_, t)) return;
  trajectory_.is_out_of_steps =
      options_.most_steps > 0.0 && static_cast<double>(trajectory_.step_times.size()) >= options_.most_steps;
  trajectory_.is_interrupted = trajectory_.is_out_of_steps || (options_.is_interrupted && options_.is_interrupted());
}

/// An accepted step. What fails in it ends the motion at the time of the failure: what lies behind has not happened.
Outcome<Continue> Run::on_step(const Step& step) {
  auto went_on = take(step);
  if (went_on) return went_on;
  failed_in_step_ = recorder_.end_before(went_on.error().t, step);
  trajectory_.step_times.back() = failed_in_step_->t;
  if (!(failed_in_step_->t > step.t_begin())) trajectory_.step_times.pop_back();
  return went_on;
}

Outcome<Continue> Run::take(const Step& step) {
  trajectory_.step_times.push_back(step.t_end());
  auto ending = look_into(step);
  if (!ending) return fail(ending.error());
  ending_ = std::move(*ending);
  const bool is_whole = !ending_ || ending_->action == Action::kCross;
  if (!is_whole) return end_step(step);
  problem_.reached = problem_.reached.cwiseMax(step.y_end().cwiseAbs());
  at_.t_before = step.t_begin();
  at_.y_before = step.y_begin();
  for (const auto& source : sources_) source->keep(step, at_.mode, trajectory_);
  recorder_.pass(step, step.t_end(), step.y_end(), tolerance_);
  if (auto done = recorder_.follow(step, step.t_end()); !done) return fail(done.error());
  if (auto done = recorder_.reach(step.t_end(), step.y_end()); !done) return fail(done.error());
  look_for_interruption(step.t_end());
  return ending_ || trajectory_.is_interrupted ? Continue::kNo : Continue::kYes;
}

/// An event ends the step: samples up to there, and the state from which to go on. Where that is less accurate than
/// steps have to be, the step is taken again, up to there.
Outcome<Continue> Run::end_step(const Step& step) {
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
    return Continue::kNo;
  }
  if (auto done = recorder_.follow(step, event.t); !done) return fail(done.error());
  if (!is_inside)
    y_event_ = step.y_end();
  else if (const auto moved = dynamics_.project(at_.mode, event.t, y_event_.data()); !moved)
    return fail(moved.error());
  recorder_.pass(step, event.t, y_event_, tolerance_);
  problem_.reached = problem_.reached.cwiseMax(y_event_.cwiseAbs());
  if (auto done = recorder_.reach(event.t, y_event_); !done) return fail(done.error());
  return Continue::kNo;
}

/// From the state at the event.
Outcome<void> Run::go_on_from_event() {
  const Found& event = *ending_;
  at_.t = event.t;
  at_.y = y_event_;
  at_.next_step = event.length;
  look_for_interruption(at_.t);
  if (event.action != Action::kChange) return {};
  Transition to{event.t, y_event_, at_.mode, {}};
  auto passed = event.source->pass(event, to);
  if (passed) {
    at_.y = std::move(to.y);
    at_.mode = std::move(to.mode);
    std::ranges::move(to.events, std::back_inserter(trajectory_.events));
  }
  setting_off_.note(dynamics_, at_.mode, at_.t, at_.y);
  return passed;
}

bool Run::start() {
  const auto constraints = static_cast<Eigen::Index>(bound_->model->constraints.size());
  trajectory_.worst_residual = Vector::Zero(constraints);
  trajectory_.worst_residual_t = Vector::Constant(constraints, at_.t);
  if (unsettled_) stop(*unsettled_);
  if (ends()) return false;
  std::optional<Failure> reason;
  for (const auto& source : sources_) {
    Transition start{at_.t, at_.y, at_.mode, {}};
    auto cannot = source->begin(start, trajectory_);
    at_.mode = std::move(start.mode);
    std::ranges::move(start.events, std::back_inserter(trajectory_.events));
    if (!reason) reason = std::move(cannot);
  }
  const auto sampled = recorder_.sample(at_.t, at_.y);
  if (!reason && !sampled) reason = sampled.error();
  if (!reason) reason = undetermined_by_law(dynamics_, at_.mode, at_.t, at_.y, trajectory_.samples.back());
  if (reason) stop(std::move(*reason));
  setting_off_.note(dynamics_, at_.mode, at_.t, at_.y);
  return !trajectory_.stopped;
}

Outcome<void> Run::integrate_to(double t, double tolerance, std::string_view method) {
  integrate::Options options;
  options.method = method;
  options.methods = options_.methods;
  options.tolerance = tolerance_ = tolerance;
  options.first_step = at_.next_step;
  const bool is_along = !at_.mode.along.empty();
  if (is_along) options.largest_step = options_.duration * kStepAtRest;
  if (options_.largest_step > 0.0 && !(options.largest_step > 0.0 && options.largest_step < options_.largest_step))
    options.largest_step = options_.largest_step;
  problem_.project = keeps_constraints_ || is_along ? project_ : nullptr;
  const std::size_t steps_before = trajectory_.step_times.size();
  const Timed timed(watch(), Profile::Part::kSteps);
  ending_.reset();
  failed_in_step_.reset();
  const auto done =
      integrate::integrate(problem_, options, at_.t, at_.y, t, [this](const Step& step) { return on_step(step); });
  if (failed_in_step_) at_.t = failed_in_step_->t, at_.y = failed_in_step_->y;
  integrate::Statistics& total = trajectory_.statistics;
  total.steps += static_cast<long>(trajectory_.step_times.size() - steps_before);
  if (!done) return fail(done.error());
  total.rejected += done->rejected;
  at_.next_step = done->next_step;
  const bool is_event = ending_ && ending_->action != Action::kCross;
  return is_event ? go_on_from_event() : Outcome<void>();
}

/// One stretch of the way to t.
Outcome<void> Run::integrate_towards(double t) {
  auto stretch = setting_off_.next(dynamics_, at_.mode, at_.t, at_.y, options_.method, options_.methods, problem_);
  if (!stretch) return integrate_to(t, options_.tolerance, options_.method);
  problem_.reached.swap(stretch->reached);
  problem_.beside.swap(stretch->beside);
  auto done = integrate_to(std::min(t, stretch->t_end), options_.tolerance, stretch->method);
  problem_.reached = stretch->reached.cwiseMax(at_.y.cwiseAbs());
  problem_.beside.swap(stretch->beside);
  return done;
}

/// Across a stretch whose accelerations carry more rounding than the tolerance: a step or two at one above the noise
/// (where steps collapse again it was not), the sizes being those of the whole: of what is beside a small coordinate.
Outcome<void> Run::cross(double t, double length) {
  const double across = std::min(t, at_.t + length);
  const Vector reached = problem_.reached;
  problem_.reached = reached.cwiseMax(problem_.beside);
  Outcome<void> done;
  const double coarsest = std::max(options_.tolerance, tolerance::kCoarsestCrossing);
  for (double tolerance = std::clamp(kCrossingFactor * options_.tolerance, tolerance::kFinestCrossing, coarsest);;
       tolerance *= kCrossingFactor) {
    stretch_ = across - at_.t;
    at_.next_step = 0.5 * stretch_;
    const double t_before = at_.t;
    const Vector y_before = at_.y;
    done = integrate_to(across, tolerance, options_.method);
    const bool has_collapsed = done && ending_ && ending_->action == Action::kCross;
    if ((done && !has_collapsed) || ends() || tolerance * kCrossingFactor > tolerance::kCoarsestCrossing) break;
    if (at_.t == t_before) at_.y = y_before;
  }
  stretch_ = 0.0;
  problem_.reached = reached.cwiseMax(at_.y.cwiseAbs());
  return done;
}

/// Whether an event source has changed what stood in the way of the next step.
bool Run::give_way() {
  at_.next_step = 0.0;
  return std::ranges::any_of(sources_, [&](const auto& source) { return source->gives_way(at_.t, at_.y, at_.mode); });
}

/// Integrates to t, where the last step ends.
bool Run::reach(double t) {
  Outcome<void> done;
  do {
    done = integrate_towards(t);
    if (done && !ends() && ending_ && ending_->action == Action::kCross) done = cross(t, ending_->length);
    if (!done && !ends() && !failed_in_step_ && give_way()) done = {};
  } while (done && !ends() && !is_reached(options_, t, at_.t));
  if (done || ends()) return !ends();
  Failure failure = done.error();
  if (failure.kind != FailureKind::kUndetermined && failure.statements.empty()) {
    std::optional<Failure> cause;
    for (const auto& source : sources_) {
      if (!cause) cause = source->explain(at_.t, at_.y);
    }
    if (cause && failed_in_step_) cause->t = failure.t;
    if (cause) failure = std::move(*cause);
  }
  stop(std::move(failure));
  return false;
}

bool Run::ask() {
  if (auto done = recorder_.ask(); !done) stop(std::move(done.error()));
  return !trajectory_.stopped;
}

Trajectory Run::to_end() {
  VINCULUM_EXPECTS(integrate::find_method(options_.method, options_.methods) != nullptr);
  VINCULUM_EXPECTS(options_.duration >= 0.0 && options_.tolerance > 0.0);
  trajectory_.tolerance = options_.tolerance;
  if (options_.is_profiled) watch_.emplace(trajectory_.profile.emplace());
  prepare();
  if (watch_) measure();
  for (const std::string& text : by_chance_) trajectory_.notes.push_back({"start", at_.t, text, "", "", 0.0, 0.0});
  if (start() && ask() && !is_reached(options_, t_end_, at_.t) && reach(t_end_)) (void)ask();
  auto ended = recorder_.finish();
  if (!ended && !ends()) stop(std::move(ended.error()));
  const Sample* last = trajectory_.samples.empty() ? nullptr : &trajectory_.samples.back();
  for (const auto& source : sources_) source->end(trajectory_, last);
  trajectory_.counts = at_.mode.counts;
  if (watch_) watch_->give_to(Profile::Part::kStart);
  trajectory_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  return std::move(trajectory_);
}

}  // namespace

Trajectory simulate(Dynamics& dynamics, const Start& start, const SimulateOptions& options) {
  return Run(dynamics, start, options).to_end();
}

Trajectory simulate(Dynamics& dynamics, const SimulateOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const auto start = assemble(dynamics);
  if (start) {
    const double assembly = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    Trajectory trajectory = simulate(dynamics, *start, options);
    trajectory.seconds += assembly;
    if (trajectory.profile) trajectory.profile->of(Profile::Part::kStart).seconds += assembly;
    return trajectory;
  }
  Trajectory trajectory;
  const auto constraints = static_cast<Eigen::Index>(dynamics.binding()->model->constraints.size());
  trajectory.worst_residual = trajectory.worst_residual_t = Vector::Zero(constraints);
  trajectory.stopped = start.error();
  return trajectory;
}

}  // namespace vinculum::sim
