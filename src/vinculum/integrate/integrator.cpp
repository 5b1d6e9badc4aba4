#include "vinculum/integrate/integrator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/integrate/stepper.hpp"

namespace vinculum::integrate {
namespace {

// The run ends if this many trial steps advance t by less than a millionth of the interval: it would need 10¹² steps.
// The step size can collapse to such values long before it reaches the resolution of time.
constexpr long kTrialsBetweenPaceChecks = 1'000'000;
// A step is rejected if the projection corrects its end by more than this. In a regular step the correction is less
// than a few tolerances. A larger correction shows that the stages have missed a change of the invariants; near a
// singular configuration it may also be amplified rounding error.
constexpr double kLargestCorrection = 100.0;  // unit: tolerances
// The last step may be longer by this factor than the step control proposes, because that is cheaper than a tiny
// additional step.
constexpr double kStretchOfLastStep = 1.01;

}  // namespace

Integration::Clock Integration::Clock::after(double h) const {
  const double increment = h + lost;
  const double sum = t + increment;
  return {sum, increment - (sum - t)};
}

Integration::Integration(const Problem& problem, const Options& options, double t0, const Vector& y0, double t1)
    : options_(options), y0_(y0), clock_{t0}, t1_(t1), interval_(t1 - t0), pace_t_(t0) {
  const Method* const method = find_method(options.method, options.methods);
  VINCULUM_EXPECTS(method != nullptr);
  VINCULUM_EXPECTS(std::isfinite(t0) && std::isfinite(t1) && t1 >= t0);
  VINCULUM_EXPECTS(y0.size() == problem.size);
  longest_ = options.largest_step > 0.0 ? std::min(options.largest_step, interval_) : interval_;
  largest_correction_ = std::max(kLargestCorrection, tolerance::kConsistency / options.tolerance);
  if (t1 > t0) stepper_ = method->make(*method, problem, options.tolerance);
}

Integration::~Integration() = default;

double Integration::smallest_step() const {
  // The resolution of time is relative to |t|. For t near 0 a fraction of the interval replaces |t|.
  const double magnitude = std::max(std::abs(clock_.t), tolerance::kBeside * interval_);
  return 4.0 * tolerance::kEqual * magnitude;
}

const Vector& Integration::y() const { return is_begun_ ? stepper_->y_begin() : y0_; }

double Integration::first_step() {
  if (is_fixed()) return options_.fixed_step;
  if (options_.first_step > 0.0) return std::min(options_.first_step, longest_);
  return stepper_->first_step(longest_);
}

bool Integration::is_stalled() {
  if (++pace_trials_ < kTrialsBetweenPaceChecks) return false;
  const bool stalled = clock_.t - pace_t_ < tolerance::kBeside * interval_;
  pace_t_ = clock_.t;
  pace_trials_ = 0;
  return stalled;
}

Failure Integration::stall(double h) const {
  if (cause_) return *cause_;
  Failure failure;
  failure.kind = FailureKind::kStepTooSmall;
  failure.t = clock_.t;
  const WorstComponent worst = was_missed_ ? stepper_->correction() : stepper_->worst();
  if (worst.index >= 0) {
    failure.coordinates = {worst.index};
    failure.size = worst.ratio;
  }
  failure.message =
      fmt::format("the step size fell to {:.3g} s; component {} has the largest {}, {:.3g} of its tolerance", h,
                  worst.index, was_missed_ ? "correction onto the constraints" : "error", worst.ratio);
  return failure;
}

Outcome<void> Integration::go_on(const std::function<Outcome<Continue>(const Step&)>& on_step) {
  if (!(clock_.t < t1_)) return {};
  if (!is_begun_) {
    is_begun_ = true;
    if (Outcome<void> done = stepper_->start(clock_.t, y0_); !done) return fail(done.error());
    next_size_ = first_step();
  }
  double& h = next_size_;
  const Step step(*stepper_);
  while (clock_.t < t1_) {
    const double smallest = smallest_step();
    if (!is_fixed()) h = std::min(h, longest_);
    const double left = clock_.until(t1_);
    const bool last = left <= kStretchOfLastStep * h || left - h < smallest;
    const bool too_small = h < smallest && left > kStretchOfLastStep * h;
    if (too_small || (!is_fixed() && is_stalled())) return fail(stall(h));
    const double size = last ? left : h;
    const Clock end = last ? Clock{t1_} : clock_.after(size);

    Trial trial = stepper_->attempt(size, end.t);
    const double error = trial == Trial::kGood ? stepper_->error() : std::numeric_limits<double>::infinity();
    const bool accurate = trial == Trial::kGood && (is_fixed() || error <= 1.0);
    if (accurate) trial = stepper_->complete();
    const bool completed = accurate && trial == Trial::kGood;
    const double correction = completed ? stepper_->correction().ratio : 0.0;
    was_missed_ = !is_fixed() && correction > largest_correction_;
    statistics_.evaluations = stepper_->evaluations();
    if (trial != Trial::kGood) {
      cause_ = stepper_->failure(trial);
      if (is_fixed()) return fail(*cause_);
    }
    if (!completed || was_missed_) {
      ++statistics_.rejected;
      const double excess = was_missed_ ? correction : accurate ? std::numeric_limits<double>::infinity() : error;
      h = stepper_->after_rejected(size, excess);
      continue;
    }

    ++statistics_.steps;
    if (!is_fixed()) h = stepper_->after_accepted(size);
    statistics_.next_step = h;
    const Outcome<Continue> wish = on_step ? on_step(step) : Continue::kYes;
    statistics_.evaluations = stepper_->evaluations();
    stepper_->advance();
    clock_ = end;
    cause_.reset();
    if (!wish) return fail(wish.error());
    if (*wish == Continue::kNo) break;
  }
  return {};
}

double Step::t_begin() const { return stepper_->t_begin(); }
double Step::t_end() const { return stepper_->t_end(); }
const Vector& Step::y_begin() const { return stepper_->y_begin(); }
const Vector& Step::y_end() const { return stepper_->y_end(); }
Outcome<void> Step::interpolate(double t, Vector& y) const { return stepper_->interpolate(t, y); }
bool Step::rates(Vector& least, Vector& most) const { return stepper_->rates(least, most); }
std::vector<double> Step::weighed() const { return stepper_->weighed(); }
std::vector<QuadratureNode> Step::quadrature() const { return stepper_->quadrature(); }
double Step::stiffness() const { return stepper_->stiffness(); }
WorstComponent Step::worst() const { return stepper_->worst(); }
Outcome<void> Step::step_to(double t, Vector& y) const { return stepper_->step_to(t, y); }
Outcome<void> Step::step_back_to(double t, Vector& y) const { return stepper_->step_back_to(t, y); }

Outcome<Statistics> integrate(const Problem& problem, const Options& options, double& t0, Vector& y0, double t1,
                              const std::function<Outcome<Continue>(const Step&)>& on_step) {
  Integration integration(problem, options, t0, y0, t1);
  const Outcome<void> done = integration.go_on(on_step);
  t0 = integration.t();
  y0 = integration.y();
  if (!done) return fail(done.error());
  return integration.statistics();
}

}  // namespace vinculum::integrate
