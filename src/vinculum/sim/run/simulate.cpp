#include "vinculum/sim/run/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include "vinculum/base/contract.hpp"
#include "vinculum/sim/plant/kinematics_check.hpp"
#include "vinculum/sim/plant/law_uniqueness.hpp"
#include "vinculum/sim/plant/scales.hpp"
#include "vinculum/sim/plant/sliding.hpp"
#include "vinculum/sim/run/singular_mass.hpp"
#include "vinculum/sim/run/singularity.hpp"
#include "vinculum/sim/run/stick_slip.hpp"

namespace vinculum::sim {
namespace {

using integrate::Continue;
using integrate::Step;

constexpr int kDefaultSamples = 200;
// The last state before a motion stops being unique is taken this part of the step ahead of it: reactions still exist.
constexpr double kBeforeTheEnd = 1e-6;
constexpr double kStepAtRest =
    1.0 / 250.0;  // of the run, most while something sticks: rest asks for no steps, and forces change beside it
constexpr double kAfterTooLong = 0.25;  // of a step within which a direction of sliding turned about
constexpr double kPaceMemory = 0.9;
constexpr double kCollapse = 0.05;         // of the recent steps: step control creeps into a loss of rank
constexpr double kCrossingFactor = 100.0;  // of the tolerance
constexpr double kFinestCrossing = 1e-9;
constexpr double kCoarsestCrossing = 1e-5;
constexpr double kCoarsestWatched = 1e-8;    // looser tolerances lie above the noise
constexpr double kTolSingularAngles = 1e-5;  // of the definitions of the speeds where the step size collapsed
// Times that differ by less than this part of the run are one.
constexpr double kSameTime = 1e-12;
// Gauss–Legendre on [0, 1], of order 10.
constexpr std::array<double, 5> kNodes = {0.04691007703066802, 0.23076534494715845, 0.5, 0.7692346550528415,
                                          0.953089922969332};
constexpr std::array<double, 5> kWeights = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                                            0.23931433524968324, 0.11846344252809454};

Vector joined(const Vector& q, const Vector& u, const Vector& z) {
  Vector y(q.size() + u.size() + z.size());
  y << q, u, z;
  return y;
}

class Run {
 public:
  Run(Dynamics& dynamics, const Start& start, const SimulateOptions& options)
      : dynamics_(dynamics),
        compiled_(dynamics.compiled()),
        options_(options),
        begin_(std::chrono::steady_clock::now()),
        t_(start.t0),
        t_end_(start.t0 + options.duration),
        y_(joined(start.q, start.u, start.z)),
        group_count_(set_scales()),
        monitor_(dynamics, options.tolerance),
        inertia_(dynamics),
        sliding_(dynamics.compiled()),
        friction_(dynamics, options.tolerance) {}
  Trajectory to_end();

 private:
  int set_scales();
  void plan();
  [[nodiscard]] bool start();
  [[nodiscard]] bool reach(double t);
  [[nodiscard]] bool ask();
  [[nodiscard]] Outcome<void> integrate_to(double t, double tolerance);
  [[nodiscard]] Outcome<void> cross_rank_drop(double t);
  [[nodiscard]] std::optional<Failure> explain_singular_angles();
  [[nodiscard]] Outcome<Continue> on_step(const Step& step);
  [[nodiscard]] Outcome<Continue> end_step_at(FrictionMonitor::Event event, const Step& step);
  [[nodiscard]] Outcome<void> go_on_from_event();
  [[nodiscard]] Outcome<void> sample_inside(const Step& step, double until);
  [[nodiscard]] Outcome<void> add_sample(double t, const Vector& y);
  [[nodiscard]] Outcome<void> visit_nodes(const Step& step, double until);
  void stop_at(const Failure& failure, const Step& step);
  void stop(Failure failure);
  void finish();
  void note_residuals(double t);
  void note_residuals(const Sample& sample);
  [[nodiscard]] Outcome<void> observe(double t, const Vector& y);
  void describe(Failure& failure) const;
  [[nodiscard]] bool is_reached(double time, double t) const { return time <= t + kSameTime * options_.duration; }

  Dynamics& dynamics_;
  const CompiledModel& compiled_;
  const SimulateOptions& options_;
  std::chrono::steady_clock::time_point begin_;
  double t_, t_end_;
  Vector y_;
  std::optional<Failure> unsettled_;  ///< why friction at the start has no state
  integrate::Problem problem_;
  int group_count_;  ///< set with the scales, which the monitor needs
  SingularityMonitor monitor_;
  InertiaMonitor inertia_;
  SlidingMonitor sliding_;
  FrictionMonitor friction_;
  std::optional<FrictionMonitor::Event> event_;
  Vector y_event_;
  double step_after_event_ = 0.0;
  double next_step_ = 0.0;
  double output_step_ = 0.0;
  long next_output_ = 1;
  std::vector<double> landings_;
  std::vector<std::optional<Sample>> asked_;  ///< [sample_times] those reached so far
  double pace_ = 0.0;                         ///< recent longest step
  bool watches_collapse_ = true;              ///< of the step size near a loss of rank
  bool has_collapsed_ = false;
  Vector y_inside_, y_stop_;
  double t_stop_ = 0.0;
  Sample observed_;
  double visited_ = 0.0;  ///< up to where nodes have been
  Trajectory trajectory_;
};

int Run::set_scales() {
  dynamics_.set_formulation(options_.formulation);
  if (auto done = settle_friction(dynamics_, t_, y_.data()); !done) unsettled_ = done.error();
  const Vector q = y_.head(compiled_.nq());
  const Vector u = y_.segment(compiled_.nq(), compiled_.nu());
  const Vector q_scale = coordinate_scale(compiled_, q);
  Vector y_dot = Vector::Zero(y_.size());
  if (!dynamics_.derivative(t_, y_.data(), y_dot.data())) y_dot.setZero();
  const Vector u_dot = y_dot.segment(compiled_.nq(), compiled_.nu());
  const Vector u_scale = speed_scale(compiled_, u, u_dot, q_scale);
  const Vector z = y_.tail(compiled_.nz()), z_dot = y_dot.tail(compiled_.nz());
  const Vector scale = joined(q_scale, u_scale, state_scale(compiled_, z, z_dot, q_scale, u_scale));
  dynamics_.set_scale(scale, options_.tolerance);
  dynamics_.learn_row_sizes(t_, y_);

  const bool keeps_levels = options_.project && options_.conserve && !compiled_.model->conserved.empty();
  dynamics_.release_levels();
  if (keeps_levels) dynamics_.keep_levels(t_, y_);

  problem_.size = static_cast<int>(y_.size());
  problem_.derivative = [this](double t, const double* y, double* y_dot_at) {
    ++trajectory_.statistics.evaluations;
    return dynamics_.derivative(t, y, y_dot_at);
  };
  const bool has_gauge = !compiled_.system->quaternions.empty();
  const bool has_slides = !compiled_.system->slides.empty();
  const bool has_hidden = compiled_.system->higher && !compiled_.system->higher->hidden.empty();
  if (options_.project && (!compiled_.velocity_rows.empty() || has_gauge || keeps_levels || has_slides || has_hidden)) {
    problem_.project = [this](double t, double* y) { return dynamics_.project(t, y); };
  }
  problem_.group = error_groups(compiled_);
  const int groups = problem_.group.empty() ? 0 : *std::max_element(problem_.group.begin(), problem_.group.end()) + 1;
  problem_.group_scale.assign(static_cast<std::size_t>(groups), 0.0);
  for (std::size_t i = 0; i < problem_.group.size(); ++i) {
    double& size = problem_.group_scale[static_cast<std::size_t>(problem_.group[i])];
    size = std::max(size, scale[static_cast<Eigen::Index>(i)]);
  }
  return groups;
}

void Run::plan() {
  output_step_ = options_.output_step > 0.0 ? options_.output_step : options_.duration / kDefaultSamples;
  asked_.resize(options_.sample_times.size());
  landings_ = options_.sample_times;
  landings_.push_back(t_end_);
  std::sort(landings_.begin(), landings_.end());
  const auto is_same = [this](double a, double b) { return is_reached(b, a); };
  landings_.erase(std::unique(landings_.begin(), landings_.end(), is_same), landings_.end());
  while (!landings_.empty() && is_reached(landings_.front(), t_)) landings_.erase(landings_.begin());
  while (!landings_.empty() && !is_reached(landings_.back(), t_end_)) landings_.pop_back();
}

void Run::note_residuals(double t) {
  for (int row = 0; row < compiled_.nc(); ++row) {
    const auto constraint =
        static_cast<Eigen::Index>(compiled_.system->rows[static_cast<std::size_t>(row)].constraint.index());
    if (!(monitor_.residual()[row] <= trajectory_.worst_residual[constraint])) {
      trajectory_.worst_residual[constraint] = monitor_.residual()[row];
      trajectory_.worst_residual_t[constraint] = t;
    }
  }
}

void Run::note_residuals(const Sample& sample) {
  for (Eigen::Index i = 0; i < sample.residual.size(); ++i) {
    if (!(sample.residual[i] <= trajectory_.worst_residual[i])) {
      trajectory_.worst_residual[i] = sample.residual[i];
      trajectory_.worst_residual_t[i] = sample.t;
    }
  }
}

Outcome<void> Run::add_sample(double t, const Vector& y) {
  Sample& sample = trajectory_.samples.emplace_back();
  if (auto done = dynamics_.report(t, y.data(), sample); !done) {
    trajectory_.samples.pop_back();
    return done;
  }
  note_residuals(sample);
  if (options_.on_state) options_.on_state(sample);
  return {};
}

/// A state between samples whose reactions are beyond reach is passed over, one whose results are not finite is not.
Outcome<void> Run::observe(double t, const Vector& y) {
  if (!options_.on_state || trajectory_.samples.back().t == t) return {};
  if (auto done = dynamics_.report(t, y.data(), observed_); !done) {
    return done.error().statements.empty() ? Outcome<void>() : done;
  }
  note_residuals(observed_);
  options_.on_state(observed_);
  return {};
}

/// From the instant of the last one to this.
Outcome<void> Run::visit_nodes(const Step& step, double until) {
  if (!options_.on_node || !(until > visited_)) return {};
  const double from = std::max(visited_, step.t_begin());
  for (std::size_t k = 0; k < kNodes.size(); ++k) {
    const double t = from + kNodes[k] * (until - from);
    if (auto done = step.interpolate(t, y_inside_); !done) return done;
    if (problem_.project) {
      if (const auto done = problem_.project(t, y_inside_.data()); !done) return fail(done.error());
    }
    if (auto done = dynamics_.report(t, y_inside_.data(), observed_); !done) {
      if (!done.error().statements.empty()) return done;
      continue;  // as `observe` does
    }
    options_.on_node(observed_, kWeights[k] * (until - from));
  }
  visited_ = until;
  return {};
}

Outcome<void> Run::sample_inside(const Step& step, double until) {
  while (true) {
    const double t = trajectory_.samples.front().t + output_step_ * static_cast<double>(next_output_);
    if (!is_reached(t, until) || t >= t_end_ - kSameTime * options_.duration) return {};
    ++next_output_;
    if (auto done = visit_nodes(step, std::min(t, step.t_end())); !done) return done;
    if (is_reached(step.t_end(), t)) {
      if (auto done = add_sample(step.t_end(), step.y_end()); !done) return done;
      continue;
    }
    if (auto done = step.interpolate(t, y_inside_); !done) return done;
    if (problem_.project) {
      if (const auto done = problem_.project(t, y_inside_.data()); !done) return fail(done.error());
    }
    if (auto done = add_sample(t, y_inside_); !done) return done;
  }
}

/// The motion ends inside this step: samples up to there, and the last state before it.
void Run::stop_at(const Failure& failure, const Step& step) {
  const double before = std::max(step.t_begin(), failure.t - kBeforeTheEnd * (step.t_end() - step.t_begin()));
  t_stop_ = step.t_begin();
  y_stop_ = step.y_begin();
  if (sample_inside(step, before) && visit_nodes(step, before) && step.interpolate(before, y_inside_)) {
    t_stop_ = before;
    y_stop_ = y_inside_;
    if (problem_.project && problem_.project(before, y_inside_.data())) y_stop_ = y_inside_;
  }
  stop(failure);
}

void Run::stop(Failure failure) {
  describe(failure);
  trajectory_.stopped = std::move(failure);
}

void Run::describe(Failure& failure) const {
  if (failure.kind != FailureKind::kStepTooSmall || failure.coordinates.empty()) return;
  const int component = failure.coordinates.front();
  const int nq = compiled_.nq();
  const int nu = compiled_.nu();
  const std::string& name = component < nq ? compiled_.model->coordinates[static_cast<std::size_t>(component)].name
                            : component < nq + nu
                                ? compiled_.speed_name(component - nq)
                                : compiled_.system->z_names[static_cast<std::size_t>(component - nq - nu)];
  failure.message = fmt::format(
      "the step size fell below what the time's precision resolves; `{}` has the largest error, "
      "{:.3g} of its tolerance",
      name, failure.size);
}

Outcome<Continue> Run::on_step(const Step& step) {
  trajectory_.step_times.push_back(step.t_end());
  const double h = step.t_end() - step.t_begin();
  pace_ = std::max(h, kPaceMemory * pace_);
  auto end = inertia_.check(step);
  if (!end) end = sliding_.check(step);
  if (!end) {
    auto event = friction_.check(step);
    if (!event) return fail(event.error());
    if (*event) return end_step_at(std::move(**event), step);
  }
  if (!end) end = monitor_.check(step, trajectory_.rank_drops);
  if (end) {
    trajectory_.step_times.back() = end->t;
    stop_at(*end, step);
    return Continue::kNo;
  }
  note_residuals(step.t_end());
  if (auto done = sample_inside(step, step.t_end()); !done) return fail(done.error());
  if (auto done = visit_nodes(step, step.t_end()); !done) return fail(done.error());
  if (auto done = observe(step.t_end(), step.y_end()); !done) return fail(done.error());
  if (options_.on_progress) options_.on_progress(step.t_end());
  const bool watches = watches_collapse_ && options_.tolerance <= kCoarsestWatched;
  has_collapsed_ = watches && dynamics_.is_near_singular() && h < kCollapse * pace_;
  return has_collapsed_ ? Continue::kNo : Continue::kYes;
}

/// Friction changes within the step: samples up to there, and the run goes on from there.
Outcome<Continue> Run::end_step_at(FrictionMonitor::Event event, const Step& step) {
  event_ = std::move(event);
  if (event_->is_too_long) {
    trajectory_.step_times.pop_back();
    y_event_ = step.y_begin();
    step_after_event_ = kAfterTooLong * (step.t_end() - step.t_begin());
    return Continue::kNo;
  }
  trajectory_.step_times.back() = event_->t;
  step_after_event_ = 0.0;
  if (auto done = sample_inside(step, event_->t); !done) return fail(done.error());
  if (auto done = visit_nodes(step, event_->t); !done) return fail(done.error());
  if (is_reached(step.t_end(), event_->t)) {
    y_event_ = step.y_end();
  } else {
    if (auto done = step.interpolate(event_->t, y_event_); !done) return fail(done.error());
    if (const auto moved = dynamics_.project(event_->t, y_event_.data()); !moved) return fail(moved.error());
  }
  if (auto done = observe(event_->t, y_event_); !done) return fail(done.error());
  if (options_.on_progress) options_.on_progress(event_->t);
  return Continue::kNo;
}

/// From the state at which friction changes.
Outcome<void> Run::go_on_from_event() {
  const FrictionMonitor::Event event = std::move(*event_);
  event_.reset();
  t_ = event.t;
  y_ = y_event_;
  next_step_ = step_after_event_;
  return event.is_too_long ? Outcome<void>() : friction_.pass(event, y_.data(), trajectory_.friction_changes);
}

bool Run::start() {
  visited_ = t_;
  const auto constraints = static_cast<Eigen::Index>(compiled_.model->constraints.size());
  trajectory_.worst_residual = Vector::Zero(constraints);
  trajectory_.worst_residual_t = Vector::Constant(constraints, t_);
  if (unsettled_) {
    stop(*unsettled_);
    return false;
  }
  const auto reason = monitor_.begin(t_, y_, trajectory_.rank_drops);
  inertia_.begin(t_, y_);
  if (auto done = add_sample(t_, y_); !done && !reason) {
    stop(done.error());
    return false;
  }
  if (reason) {
    stop(*reason);
    return false;
  }
  if (!trajectory_.samples.empty()) {
    if (auto failure = undetermined_by_law(dynamics_, t_, y_, trajectory_.samples.back())) {
      stop(std::move(*failure));
      return false;
    }
  }
  note_residuals(t_);
  return true;
}

Outcome<void> Run::integrate_to(double t, double tolerance) {
  integrate::Options options;
  options.method = options_.method;
  options.tolerance = tolerance;
  options.first_step = next_step_;
  const std::vector<char>& sticks = dynamics_.friction().sticks;
  if (std::ranges::find(sticks, char{1}) != sticks.end()) options.largest_step = options_.duration * kStepAtRest;
  const std::size_t steps_before = trajectory_.step_times.size();
  const auto done =
      integrate::integrate(problem_, options, t_, y_, t, [this](const Step& step) { return on_step(step); });
  integrate::Statistics& total = trajectory_.statistics;
  total.steps += static_cast<long>(trajectory_.step_times.size() - steps_before);
  if (!done) return fail(done.error());
  total.rejected += done->rejected;
  next_step_ = done->next_step;
  return event_ ? go_on_from_event() : Outcome<void>();
}

/// Close to a loss of rank accelerations carry rounding over the square of the distance. Where that exceeds the
/// tolerance step control would creep ever closer; a step or two at a tolerance above the noise are across.
Outcome<void> Run::cross_rank_drop(double t) {
  const double across = std::min(t, t_ + pace_);
  watches_collapse_ = false;
  Outcome<void> done;
  for (double tolerance = std::max(kCrossingFactor * options_.tolerance, kFinestCrossing);;
       tolerance *= kCrossingFactor) {
    next_step_ = 0.5 * (across - t_);
    const double t_before = t_;
    const Vector y_before = y_;
    done = integrate_to(across, tolerance);
    if (done || trajectory_.stopped || tolerance * kCrossingFactor > kCoarsestCrossing) break;
    if (t_ == t_before) y_ = y_before;
  }
  watches_collapse_ = true;
  return done;
}

/// Whether definitions of speeds or angles of frames are about to become singular here.
std::optional<Failure> Run::explain_singular_angles() {
  if (auto cause = explain_singular_kinematics(compiled_, t_, y_.data(), kTolSingularAngles)) return cause;
  Matrices m;
  dynamics_.matrices_as_they_are(t_, y_.data(), m);
  return explain_lost_inertia(compiled_, t_, m.metric);
}

/// Integrates to t and lands there.
bool Run::reach(double t) {
  Outcome<void> done;
  while (true) {
    has_collapsed_ = false;
    done = integrate_to(t, options_.tolerance);
    if (done && !trajectory_.stopped && has_collapsed_) done = cross_rank_drop(t);
    if (!done || trajectory_.stopped || is_reached(t, t_)) break;
  }
  // A stop has set the last state itself.
  if (trajectory_.stopped) {
    t_ = t_stop_;
    y_ = y_stop_;
    return false;
  }
  if (done) return true;
  Failure failure = done.error();
  if (failure.kind != FailureKind::kUndetermined && failure.statements.empty()) {
    auto cause = inertia_.explain(t_, y_);
    if (!cause) cause = monitor_.explain_stall(t_, y_, options_.duration);
    if (!cause) cause = dynamics_.explain_weak_efforts(t_, y_.data());
    if (!cause) cause = explain_singular_angles();
    if (cause) failure = std::move(*cause);
  }
  stop(std::move(failure));
  return false;
}

/// The last state closes the samples, also where its reactions are beyond reach.
void Run::finish() {
  if (!trajectory_.samples.empty() && trajectory_.samples.back().t < t_) {
    Sample last;
    if (dynamics_.report(t_, y_.data(), last)) {
      note_residuals(last);
      if (options_.on_state) options_.on_state(last);
      trajectory_.samples.push_back(std::move(last));
    }
  }
  for (std::optional<Sample>& sample : asked_) {
    if (sample) trajectory_.asked.push_back(std::move(*sample));
  }
  trajectory_.counts = dynamics_.counts();
  trajectory_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

/// The sample at the time reached, if it was asked for. \returns false where its results are not finite.
bool Run::ask() {
  std::optional<Sample> sample;
  for (std::size_t i = 0; i < options_.sample_times.size(); ++i) {
    if (!is_reached(options_.sample_times[i], t_) || !is_reached(t_, options_.sample_times[i])) continue;
    if (!sample) {
      sample.emplace();
      if (auto done = dynamics_.report(t_, y_.data(), *sample); !done) {
        if (done.error().statements.empty()) return true;
        stop(done.error());
        return false;
      }
    }
    asked_[i] = sample;
  }
  return true;
}

Trajectory Run::to_end() {
  VINCULUM_EXPECTS(integrate::find_method(options_.method) != nullptr);
  VINCULUM_EXPECTS(options_.duration >= 0.0 && options_.tolerance > 0.0);
  trajectory_.tolerance = options_.tolerance;
  plan();
  if (start()) {
    bool goes_on = ask();
    for (std::size_t i = 0; goes_on && i < landings_.size(); ++i) goes_on = reach(landings_[i]) && ask();
  }
  finish();
  return std::move(trajectory_);
}

}  // namespace

SimulateOptions options_of(const mechanics::Model& model) {
  SimulateOptions options;
  if (!model.run) return options;
  options.duration = model.run->duration;
  options.tolerance = model.run->tolerance;
  options.method = model.run->method;
  options.formulation = dynamics::find_formulation(model.run->formulation).value_or(dynamics::Formulation::kExplicit);
  options.output_step = model.run->step.value_or(0.0);
  return options;
}

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
    return trajectory;
  }
  Trajectory trajectory;
  const auto constraints = static_cast<Eigen::Index>(dynamics.compiled().model->constraints.size());
  trajectory.worst_residual = trajectory.worst_residual_t = Vector::Zero(constraints);
  trajectory.stopped = start.error();
  return trajectory;
}

}  // namespace vinculum::sim
