#include "vinculum/run/recording.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/numeric/gauss_rule.hpp"

namespace vinculum::sim {
namespace {

using integrate::Step;

constexpr int kDefaultSamples = 200;
// Distance between the last sample and a stop, in units of kSameTime × duration. It is larger than 1, so that no sample
// counts as being at the stop.
constexpr double kInstantsAhead = 2.0;

/// Records the largest residuals and the largest values over all samples. The largest outputs are also recorded without
/// the last sample, because that sample may be at the stop of a run.
class ExtremesSink final : public Sink {
 public:
  explicit ExtremesSink(Trajectory& run) : run_(run) {}
  void sample(const Sample& sample) override {
    raise(run_.largest_q, sample.q);
    raise(run_.largest_u, sample.u);
    raise(run_.largest_z, sample.z);
    raise(run_.outputs_before_end, last_outputs_.size() > 0 ? last_outputs_ : Vector::Zero(sample.outputs.size()));
    raise(run_.largest_outputs, sample.outputs);
    last_outputs_ = sample.outputs;
  }
  void state(const Sample& sample) override { run_.note_residuals(sample); }

 private:
  static void raise(Vector& largest, const Vector& values) {
    if (largest.size() != values.size()) largest.setZero(values.size());
    largest = largest.cwiseMax(values.cwiseAbs());
  }

  Trajectory& run_;
  Vector last_outputs_;
};

}  // namespace

bool is_reached(const SimulateOptions& options, double time, double t) {
  return time <= t + tolerance::kSameTime * options.duration;
}

Recorder::Recorder(Dynamics& dynamics, const SimulateOptions& options, const integrate::Problem& problem, RunState& at,
                   double t_start, Trajectory& run)
    : dynamics_(dynamics),
      options_(options),
      problem_(problem),
      at_(at),
      t_start_(t_start),
      output_step_(options.output_step > 0.0 ? options.output_step : options.duration / kDefaultSamples),
      run_(run),
      sinks_(options.sinks),
      order_(options.sample_times.size()),
      asked_(options.sample_times.size()) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::ranges::stable_sort(order_, {}, [&options](std::size_t i) { return options.sample_times[i]; });
  own_.push_back(std::make_unique<ExtremesSink>(run));
  if (options.accounts)
    for (auto& account : options.accounts(run)) own_.push_back(std::move(account));
  for (const auto& sink : own_) sinks_.push_back(sink.get());
  for (const Sink* sink : sinks_) {
    wants_.states = wants_.states || sink->wants().states;
    wants_.nodes = wants_.nodes || sink->wants().nodes;
  }
}

Outcome<void> Recorder::report(double t, const Vector& y, Sample& sample) {
  const Timed timed(watch_, Profile::Part::kReports);
  return dynamics_.report(at_.mode, t, y.data(), sample);
}

void Recorder::show(const Sample& sample, bool is_sample) {
  const Timed timed(watch_, Profile::Part::kWriting);
  at_.t_reported = sample.t;
  for (Sink* sink : sinks_) {
    if (is_sample) sink->sample(sample);
    sink->state(sample);
  }
}

/// Computes y inside a step into `y_inside_`. The state is the end of a separate step, forwards or backwards; if both
/// fail, the dense output. The motion does not change.
Outcome<void> Recorder::state_at(const Step& step, double t, InRow in_row) {
  const Timed timed(watch_, Profile::Part::kLooks);
  const auto found = in_row == InRow::kYes ? inner_.at(step, t, output_step_, y_inside_) : step.step_to(t, y_inside_);
  if (!found && !step.step_back_to(t, y_inside_)) {
    if (auto done = step.interpolate(t, y_inside_); !done) return done;
  }
  if (!problem_.project) return {};
  const auto done = dynamics_.project(std::as_const(at_.mode), t, y_inside_.data());
  return done ? Outcome<void>() : fail(done.error());
}

/// Stores the sample in the trajectory. If not all samples are kept, only the first is stored there, and the last one
/// separately.
void Recorder::keep() {
  t_kept_ = sample_->t;
  has_last_ = !options_.keeps_samples && !run_.samples.empty();
  if (has_last_)
    sample_.swap(last_);
  else
    run_.samples.push_back(*sample_);
}

Outcome<void> Recorder::sample(double t, const Vector& y) {
  if (auto done = report(t, y, *sample_); !done) return done;
  show(*sample_, true);
  keep();
  return {};
}

/// A state that is not a sample is skipped if it has no reactions. Results that are not finite are a failure.
Outcome<void> Recorder::reach(double t, const Vector& y) {
  if (wants_.states && at_.t_reported != t) {
    if (auto done = report(t, y, *sample_); done)
      show(*sample_, false);
    else if (!done.error().statements.empty())
      return done;
  }
  const Timed timed(watch_, Profile::Part::kWriting);
  for (Sink* sink : sinks_) sink->reached(t);
  return {};
}

void Recorder::pass(const Step& step, double t_end, const Vector& y_end, double tolerance) {
  const Timed timed(watch_, Profile::Part::kWriting);
  for (Sink* sink : sinks_) sink->passed({step, t_end, y_end, problem_, tolerance, dynamics_, at_.mode});
}

/// Passes the quadrature nodes between the last instant and `until` to the sinks. Nodes at which reactions do not exist
/// are skipped.
Outcome<void> Recorder::visit_nodes(const Step& step, double until) {
  if (!wants_.nodes || !(until > at_.t_visited)) return {};
  const double from = std::max(at_.t_visited, step.t_begin());
  for (std::size_t k = 0; k < numeric::kGaussNodes.size(); ++k) {
    const double t = from + numeric::kGaussNodes[k] * (until - from);
    auto done = state_at(step, t, InRow::kNo);
    if (done) done = report(t, y_inside_, *sample_);
    if (!done && !done.error().statements.empty()) return done;
    if (!done) continue;  // skipped, as in `reach`
    for (Sink* sink : sinks_) sink->node(*sample_, numeric::kGaussWeights[k] * (until - from));
  }
  at_.t_visited = until;
  return {};
}

double Recorder::time_of_output() const { return t_start_ + output_step_ * static_cast<double>(at_.next_output); }

double Recorder::time_asked() const {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  return at_.next_asked < order_.size() ? options_.sample_times[order_[at_.next_asked]] : kNever;
}

void Recorder::keep_asked(const Sample& sample) {
  for (; is_reached(options_, time_asked(), sample.t); ++at_.next_asked) asked_[order_[at_.next_asked]] = sample;
}

/// Records a sample at an output time, at a requested sample time, or for both.
Outcome<void> Recorder::show_at(double t, const Vector& y) {
  const bool is_output = is_reached(options_, time_of_output(), t);
  if (is_output) ++at_.next_output;
  auto done = report(t, y, *sample_);
  if (!done && (is_output || !done.error().statements.empty())) return done;
  if (done && is_output) show(*sample_, true);
  if (done) {
    keep_asked(*sample_);
  } else {
    ++at_.next_asked;  // the requested sample is skipped: no reactions exist at this time
  }
  if (done && is_output) keep();
  return {};
}

/// Records samples within a step up to `until`. Near a stop of the motion, accelerations may exist at the ends of a
/// step but not inside it. The step is accepted nevertheless, because recording must not change the motion; states that
/// cannot be reported are skipped.
Outcome<void> Recorder::follow(const Step& step, double until) {
  inner_.begin();
  while (true) {
    const double t = std::min(time_of_output(), time_asked());
    if (!is_reached(options_, t, until) || is_reached(options_, t_start_ + options_.duration, t)) break;
    if (auto done = visit_nodes(step, std::min(t, step.t_end())); !done) return done;
    const bool is_end = is_reached(options_, step.t_end(), t);
    const InRow in_row = is_reached(options_, time_asked(), t) ? InRow::kNo : InRow::kYes;
    if (auto done = is_end ? Outcome<void>() : state_at(step, t, in_row); !done) {
      if (!done.error().statements.empty()) return done;
      if (is_reached(options_, time_of_output(), t)) ++at_.next_output;
      if (is_reached(options_, time_asked(), t)) ++at_.next_asked;
      continue;
    }
    if (auto done = is_end ? show_at(step.t_end(), step.y_end()) : show_at(t, y_inside_); !done) return done;
  }
  return visit_nodes(step, until);
}

/// Computes the state inside the step at t; nothing if it cannot be reported.
std::optional<StateAt> Recorder::valid_state(const Step& step, double t) {
  StateAt state{t, Vector()};
  if (!step.interpolate(t, state.y)) return std::nullopt;
  y_inside_ = state.y;
  if (problem_.project && dynamics_.project(std::as_const(at_.mode), t, y_inside_.data())) state.y = y_inside_;
  return report(t, state.y, *sample_) ? std::optional(std::move(state)) : std::nullopt;
}

Outcome<void> Recorder::jump(double t, const Mode& mode, const Vector& y, bool is_set) {
  for (Sink* sink : sinks_)
    if (is_set) sink->set(at_.y);
  if (!wants_.states) return {};
  Sample before, after;
  if (auto done = dynamics_.report(mode, t, y.data(), before); !done) return done;
  if (auto done = dynamics_.report(at_.mode, t, at_.y.data(), after); !done) return done;
  for (Sink* sink : sinks_) sink->jumped(before, after);
  return {};
}

StateAt Recorder::end_before(double t, const Step& step) {
  at_.t_before = step.t_begin();
  at_.y_before = step.y_begin();
  const double h = step.t_end() - step.t_begin();
  const double ahead = std::max(tolerance::kBeside * h, kInstantsAhead * tolerance::kSameTime * options_.duration);
  const StateAt begin{step.t_begin(), step.y_begin()};
  StateAt last = begin;
  double beyond = std::clamp(t - ahead, begin.t, step.t_end());
  for (double tried = beyond; beyond - last.t > ahead; tried = 0.5 * (last.t + beyond)) {
    if (auto state = valid_state(step, tried))
      last = *std::move(state);
    else
      beyond = tried;
  }
  return follow(step, last.t) ? last : begin;
}

Outcome<void> Recorder::ask() {
  if (!is_reached(options_, time_asked(), at_.t)) return {};
  Sample sample;
  if (auto done = report(at_.t, at_.y, sample); !done) return done.error().statements.empty() ? Outcome<void>() : done;
  keep_asked(sample);
  return {};
}

Outcome<void> Recorder::finish() {
  const auto is_new = [this](double t) { return !run_.samples.empty() && t_kept_ < t; };
  Outcome<void> done;
  if (is_new(at_.t)) done = sample(at_.t, at_.y);
  if (!done && is_new(at_.t_before)) (void)sample(at_.t_before, at_.y_before);
  if (has_last_) run_.samples.push_back(std::move(*last_));
  for (std::optional<Sample>& one : asked_) {
    if (one) run_.asked.push_back(std::move(*one));
  }
  return done;
}

}  // namespace vinculum::sim
