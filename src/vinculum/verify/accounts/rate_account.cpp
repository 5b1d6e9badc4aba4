#include "vinculum/verify/accounts/rate_account.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/watches.hpp"
#include "vinculum/motion/equations_of.hpp"
#include "vinculum/motion/friction_of.hpp"
#include "vinculum/motion/jumps.hpp"
#include "vinculum/motion/rate_rounding.hpp"
#include "vinculum/numeric/full_pivot_lu.hpp"

namespace vinculum::sim {
namespace {

// Permitted error of the quadrature, as a fraction of the limit on the difference between integral and change of the
// state.
constexpr double kShare = 0.1;
// Largest accepted difference between the dense output and a separate step to the same instant, in units of the limit.
constexpr double kNearStep = 100.0;
// Largest number of halvings of a stretch. More halvings would exceed the resolution of time in double precision.
constexpr int kMostHalves = 60;
// A contact counts as setting off in a stretch if its initial speed is below this fraction of its final speed.
constexpr double kHardlyMoves = 0.5;
// Largest number of intervals into which a stretch is split.
constexpr int kMostPieces = 100;
// Constant of QUADPACK's error estimate: variation · (200 |G − K| / variation)^(3/2), with G and K the results of the
// Gauss and the Kronrod rule.
constexpr double kSharpened = 200.0;

/// Estimates the error of the Kronrod rule from its difference from the Gauss rule, and from the variation of the rate
/// over the interval.
double missed(double difference, double variation) {
  if (!(variation > 0.0)) return difference;
  const double share = kSharpened * difference / variation;
  return variation * std::min(1.0, share * std::sqrt(share));
}

void join(RateBalance::Miss& worst, const RateBalance::Miss& one) {
  const auto share = [](const RateBalance::Miss& miss) {
    return miss.residual == 0.0 ? 0.0 : miss.residual / miss.allowed();
  };
  if (!(share(one) <= share(worst))) worst = one;
}

}  // namespace

void RateAccount::begin(const Stretch& stretch) {
  const Vector& y = stretch.step.y_begin();
  const Eigen::Index n = y.size();
  balance_.emplace();
  balance_->t_begin = stretch.step.t_begin();
  balance_->change = balance_->limit = balance_->rounding = balance_->size = Vector::Zero(n);
  balance_->motion.resize(static_cast<std::size_t>(n));
  balance_->jumps = balance_->motion;
  y_start_ = y_last_ = y;
  rate_ = noise_ = rounding_ = misread_ = limit_ = sum_ = error_ = size_ = part_ = error_of_part_ = size_of_part_ =
      peak_ = t_peak_ = Vector::Zero(n);
  states_ = rates_ = Matrix::Zero(n, static_cast<Eigen::Index>(numeric::kKronrod.size()));
  parts_.reserve(kMostHalves + 1);
}

/// Whether a contact in a plane gains most of its speed in the stretch. Its direction at the beginning is then unknown,
/// because the speed is close to 0 there.
bool RateAccount::sets_off(const Stretch& stretch) {
  const std::vector<equations::Slide>& slides = stretch.dynamics.binding()->system->slides;
  if (slides.empty()) return false;
  Vector begin, end, size;
  FrictionOf(stretch.dynamics)
      .read_slides(stretch.mode, stretch.step.t_begin(), stretch.step.y_begin().data(), begin, size);
  FrictionOf(stretch.dynamics).read_slides(stretch.mode, stretch.t_end, stretch.y_end.data(), end, size);
  return std::ranges::any_of(slides, [&](const equations::Slide& slide) {
    return slide.count > 1 &&
           begin.segment(slide.first, slide.count).norm() < kHardlyMoves * end.segment(slide.first, slide.count).norm();
  });
}

/// Sets the limit of each component: the error that the step control permits in one step over the stretch.
void RateAccount::set_limits(const Stretch& stretch) {
  limits_.set(stretch, limit_);
  if (stretch.problem.project)
    rounding_ = tolerance::kZero * stretch.problem.beside;
  else
    rounding_.setZero();
}

/// Raises `noise_` to the change of the rates at time t that has two causes: state errors as large as the limits (one
/// component at a time), and rounding errors.
bool RateAccount::measure_noise(const Stretch& stretch, double t) {
  if (!stretch.dynamics.derivative(stretch.mode, t, y_.data(), rates_.col(0).data())) return false;
  rate_.setZero();
  for (Eigen::Index j = 0; j < limit_.size(); ++j) {
    const double own = y_[j];
    y_[j] = own + limit_[j];
    if (stretch.dynamics.derivative(stretch.mode, t, y_.data(), rates_.col(1).data()))
      rate_ += (rates_.col(1) - rates_.col(0)).cwiseAbs();
    y_[j] = own;
  }
  noise_ = noise_.cwiseMax(rate_);
  return noise_.allFinite();
}

/// Measures the noise of the rates at the times of their largest values, for components that exceed their limits. Near
/// a singular configuration the rates contain rounding errors divided by the distance from that configuration.
bool RateAccount::measure_noise_of_peaks(const Stretch& stretch) {
  for (Eigen::Index i = 0; i < limit_.size(); ++i) {
    if (is_within_limit(stretch, i)) continue;
    const double t = t_peak_[i];
    if (!stretch.step.interpolate(t, y_)) return false;
    if (stretch.problem.project && !stretch.dynamics.project(stretch.mode, t, y_.data())) return false;
    if (!measure_noise(stretch, t)) return false;
  }
  return true;
}

/// Raises `noise_` to the rounding errors of the rates at the middle and the end of the stretch. `measure_noise`
/// perturbs states, and this does not show the rounding errors if forces cancel in static equilibrium.
void RateAccount::measure_rounding(const Stretch& stretch) {
  const double middle = 0.5 * (stretch.step.t_begin() + stretch.t_end);
  if (stretch.step.interpolate(middle, y_))
    noise_ = noise_.cwiseMax(rounding_of_rates(stretch.dynamics, stretch.mode, middle, y_));
  noise_ = noise_.cwiseMax(rounding_of_rates(stretch.dynamics, stretch.mode, stretch.t_end, stretch.y_end));
}

/// Adds three errors to the limits: the noise of the rates, the changes made by projections, and the error of a state
/// that is read at an event.
bool RateAccount::add_noise(const Stretch& stretch) {
  const double t0 = stretch.step.t_begin(), h = stretch.t_end - t0, middle = t0 + 0.5 * h;
  if (!stretch.step.interpolate(middle, y_) || !measure_noise(stretch, middle)) return false;
  y_ = stretch.y_end;
  if (!measure_noise(stretch, stretch.t_end)) return false;
  if (stretch.problem.project) add_projection(stretch, stretch.t_end, stretch.y_end);
  limit_ += h * noise_ + misread_;
  return limit_.allFinite();
}

/// Adds to the limits the change that a projection may make. The tolerance of a projection is relative to the typical
/// magnitudes over the run. A projection in the metric of M changes u by no more than the errors that it removes:
/// |Δu_i|² ≤ (M⁻¹)_ii δu·M δu. Near a singular configuration the projection amplifies the rounding of q. This is
/// measured by projecting two states that differ by rounding errors.
void RateAccount::add_projection(const Stretch& stretch, double t, const Vector& y) {
  const Binding& bound = stretch.dynamics.binding();
  const int nq = bound->nq(), nu = bound->nu();
  limit_ += stretch.tolerance * stretch.problem.beside;
  Matrices matrices;
  EquationsOf(stretch.dynamics).matrices_as_they_are(stretch.mode, t, y.data(), matrices);
  auto of_speeds = limit_.segment(nq, nu);
  const double size = of_speeds.dot(matrices.metric.cwiseAbs() * of_speeds);
  numeric::FullPivotLu lu(nu);
  lu.matrix(nu) = matrices.metric;
  lu.factor(tolerance::kRank);
  for (int i = 0; i < nu && lu.is_regular(); ++i) {
    Vector unit = Vector::Unit(nu, i);
    (void)lu.solve(unit);
    of_speeds[i] = std::max(of_speeds[i], std::sqrt(std::abs(unit[i]) * size));
  }
  for (const double sign : {1.0, -1.0}) {
    y_ = y;
    for (int i = 0; i < nq; ++i) y_[i] += (i % 2 == 0 ? sign : 1.0) * tolerance::kEqual * stretch.problem.beside[i];
    if (stretch.dynamics.project(stretch.mode, t, y_.data())) limit_ += (y_ - y).cwiseAbs();
  }
}

/// Measures the error of the state at an event. That state is interpolated by the dense output, which is one order less
/// accurate than a step. The error is the difference from a separate step to the same time.
void RateAccount::compare_readings(const Stretch& stretch) {
  misread_.setZero();
  if (stretch.t_end == stretch.step.t_end()) return;
  if (!stretch.step.step_to(stretch.t_end, y_) || !stretch.step.interpolate(stretch.t_end, rate_)) return;
  misread_ = (y_ - rate_).cwiseAbs().cwiseMin(kNearStep * limit_);
}

/// Evaluates the rates at the nodes of one interval, and from them the Kronrod sum, its error estimate, and the sum of
/// the magnitudes.
bool RateAccount::read(const Stretch& stretch, States states, double from, double to) {
  const double h = to - from;
  for (std::size_t k = 0; k < numeric::kKronrod.size(); ++k) {
    const double t = times_[k] = from + h * numeric::kKronrod[k].at;
    const auto done = states == States::kSteps ? stretch.step.step_to(t, y_) : stretch.step.interpolate(t, y_);
    if (!done) return false;
    const bool is_projected = states != States::kAsTheyAre && stretch.problem.project;
    if (is_projected && !stretch.dynamics.project(stretch.mode, t, y_.data())) return false;
    states_.col(static_cast<Eigen::Index>(k)) = y_;
  }
  Mode mode = stretch.mode;
  for (Eigen::Index k = 0; k < states_.cols(); ++k)
    if (!stretch.dynamics.derivative(mode, nth(times_, k), states_.col(k).data(), rates_.col(k).data())) return false;
  part_.setZero(), error_of_part_.setZero(), size_of_part_.setZero();
  for (std::size_t k = 0; k < numeric::kKronrod.size(); ++k) {
    const auto rate = rates_.col(static_cast<Eigen::Index>(k));
    const numeric::KronrodNode& node = numeric::kKronrod[k];
    for (Eigen::Index i = 0; i < rate.size(); ++i) {
      if (std::abs(rate[i]) > peak_[i]) peak_[i] = std::abs(rate[i]), t_peak_[i] = times_[k];
    }
    part_ += node.weight * rate;
    error_of_part_ += (node.weight - node.gauss) * rate;
    size_of_part_ += node.weight * rate.cwiseAbs();
  }
  for (Eigen::Index i = 0; i < part_.size(); ++i) {
    if (h * std::abs(error_of_part_[i]) <= kShare * limit_[i]) {
      error_of_part_[i] = h * std::abs(error_of_part_[i]);
      continue;
    }
    double variation = 0.0;
    for (std::size_t k = 0; k < numeric::kKronrod.size(); ++k)
      variation += numeric::kKronrod[k].weight * std::abs(rates_(i, static_cast<Eigen::Index>(k)) - part_[i]);
    error_of_part_[i] = h * missed(std::abs(error_of_part_[i]), variation);
  }
  part_ *= h, size_of_part_ *= h;
  return part_.allFinite();
}

/// Whether the error estimates of an interval of length h are below the permitted fraction of the limits, or explained
/// by noise.
bool RateAccount::agrees(double h) const {
  for (Eigen::Index i = 0; i < limit_.size(); ++i) {
    const double rounding = tolerance::kRounded * size_of_part_[i] + h * noise_[i] + rounding_[i];
    if (!(error_of_part_[i] <= kShare * limit_[i] + rounding)) return false;
  }
  return true;
}

/// Integrates y' over the stretch. If halving an interval does not reduce its error estimate, the estimate counts as an
/// error of the quadrature.
/// \returns false if the rates cannot be evaluated somewhere on the stretch.
bool RateAccount::integrate(const Stretch& stretch, States states, int most_parts) {
  const double begin = stretch.step.t_begin(), shortest = std::ldexp(stretch.t_end - begin, -kMostHalves);
  sum_.setZero(), error_.setZero(), size_.setZero();
  parts_.assign(1, {begin, stretch.t_end});
  for (int count = 1; !parts_.empty(); ++count) {
    const auto [from, to] = parts_.back();
    parts_.pop_back();
    if (!read(stretch, states, from, to)) return false;
    const double middle = 0.5 * (from + to);
    const bool can_halve =
        count + static_cast<int>(parts_.size()) < most_parts && to - from > shortest && from < middle && middle < to;
    if (can_halve && !agrees(to - from)) {
      parts_.emplace_back(middle, to);
      parts_.emplace_back(from, middle);
      continue;
    }
    sum_ += part_, error_ += error_of_part_, size_ += size_of_part_;
  }
  // The times of the nodes and the terms are accurate to their last digit. The rounding error of a projection is
  // relative to the magnitude of the whole state.
  const double last_places = std::max(std::abs(begin), std::abs(stretch.t_end)) / (stretch.t_end - begin);
  const Vector terms = size_ + stretch.step.y_begin().cwiseAbs() + stretch.y_end.cwiseAbs();
  error_ += tolerance::kRounded * terms + tolerance::kEqual * last_places * size_;
  error_ += rounding_;
  return true;
}

/// Repeats the quadrature with states from separate steps to each node. For each component, the result that is closer
/// to the change of the state is used.
void RateAccount::read_again(const Stretch& stretch) {
  const Vector sum = sum_, error = error_, size = size_, changed = stretch.y_end - stretch.step.y_begin();
  const bool is_read = integrate(stretch, States::kSteps, kMostPieces);
  for (Eigen::Index i = 0; i < sum.size(); ++i) {
    if (is_read && std::abs(changed[i] - sum_[i]) < std::abs(changed[i] - sum[i])) continue;
    sum_[i] = sum[i], error_[i] = error[i], size_[i] = size[i];
  }
}

bool RateAccount::is_within_limits(const Stretch& stretch) const {
  for (Eigen::Index i = 0; i < limit_.size(); ++i)
    if (!is_within_limit(stretch, i)) return false;
  return true;
}
bool RateAccount::is_within_limit(const Stretch& stretch, Eigen::Index i) const {
  return std::abs(stretch.y_end[i] - stretch.step.y_begin()[i] - sum_[i]) <= limit_[i] + error_[i];
}

void RateAccount::sample(const Sample&) {
  before_ = at_sample_;
  at_sample_ = balance_;
}

/// Adds the stretch to the sums and compares, for each component, the sums from the beginning of the run to the end of
/// the stretch. A single step may exceed its error estimate; the sum over the run may not.
void RateAccount::take(const Stretch& stretch) {
  RateBalance& balance = *balance_;
  balance.change += sum_, balance.limit += limit_, balance.rounding += error_, balance.size += size_;
  for (Eigen::Index i = 0; i < limit_.size(); ++i) {
    const double now = stretch.y_end[i];
    join(nth(balance.motion, i),
         {std::abs(now - y_start_[i] - balance.change[i]), balance.limit[i], balance.rounding[i],
          std::abs(y_start_[i]) + std::abs(now) + balance.size[i], stretch.t_end});
  }
}

/// Compares the states before and after an event. Accepts the part of a jump of u that impulses p of constraints
/// explain: M Δu + Δ(∂T/∂u) = Aᵀp.
void RateAccount::join_event(const Stretch& stretch) {
  const Vector& y = stretch.step.y_begin();
  const Binding& bound = stretch.dynamics.binding();
  const double t = stretch.step.t_begin();
  sum_ = y - y_last_;
  limit_ += misread_;
  add_projection(stretch, t, y_last_);
  const auto is_small = [&](Eigen::Index i) { return std::abs(sum_[i]) <= limit_[i]; };
  Eigen::Index first = bound->nq();
  const Eigen::Index last = first + bound->nu();
  while (first < last && is_small(first)) ++first;
  if (first < last) {
    const Vector jump = sum_;
    sum_.segment(bound->nq(), bound->nu()) = unbalanced(stretch, jump);
    balance_->change += jump - sum_;
    ++balance_->impulses;
  }
  for (Eigen::Index i = 0; i < y.size(); ++i) {
    const double size = std::abs(y[i]) + std::abs(y_last_[i]);
    join(nth(balance_->jumps, i), {std::abs(sum_[i]), limit_[i], tolerance::kRounded * size, size, t});
  }
  balance_->limit += limit_;
}

/// Returns the share of a jump of the speeds that impulses of the constraints do not explain. [nu]
Vector RateAccount::unbalanced(const Stretch& stretch, const Vector& jump) const {
  const Binding& bound = stretch.dynamics.binding();
  const Vector& y = stretch.step.y_begin();
  const double t = stretch.step.t_begin();
  Matrices matrices;
  EquationsOf(stretch.dynamics).matrices_as_they_are(stretch.mode, t, y.data(), matrices);
  Vector momenta = matrices.M * jump.segment(bound->nq(), bound->nu());
  if (bound->watches && !sides_.empty()) {
    const std::size_t count = bound->watches->surface_count();
    const auto now = stretch.dynamics.binding_of(stretch.mode);
    const std::span<const double> before = std::span(sides_).subspan(1, count),
                                  after = std::span(now->sides).subspan(1, count);
    const auto by_time = jump_of_momenta(bound, t, y, y, before, after, /*is_of_motion=*/false);
    if (by_time && by_time->size() > 0) momenta += *by_time;
  }
  Vector moved = y;
  add_impulse(stretch.dynamics, stretch.mode, t, -momenta, moved);
  return (moved - y).segment(bound->nq(), bound->nu());
}

/// A change of the state by an event of the model is not compared with the rates.
void RateAccount::set(const Vector& after) {
  if (!balance_) return;
  balance_->change += after - y_last_;
  y_last_ = after;
}

void RateAccount::passed(const Stretch& stretch) {
  if (!(stretch.t_end > stretch.step.t_begin())) return;
  if (!balance_) begin(stretch);
  set_limits(stretch);
  if (stretch.step.y_begin() != y_last_) {
    join_event(stretch);
    set_limits(stretch);
  }
  noise_.setZero();
  peak_.setZero(), t_peak_.setConstant(stretch.t_end);
  compare_readings(stretch);
  ++balance_->stretches;
  bool is_read = integrate(stretch, States::kAsTheyAre, 1);
  if (is_read && !(agrees(stretch.t_end - stretch.step.t_begin()) && is_within_limits(stretch))) {
    is_read = add_noise(stretch) && integrate(stretch, States::kDense, kMostPieces);
    if (is_read && !is_within_limits(stretch)) read_again(stretch);
    if (is_read && !is_within_limits(stretch)) {
      const Vector before = noise_;
      measure_rounding(stretch);
      limit_ += (stretch.t_end - stretch.step.t_begin()) * (noise_ - before);
    }
    // The rates may be undetermined within the tolerance, for example the direction of friction on a contact at rest.
    // The motion that they produce is then undetermined too.
    if (is_read && !is_within_limits(stretch)) is_read = measure_noise_of_peaks(stretch) && add_noise(stretch);
    if (is_read && !is_within_limits(stretch)) is_read = !sets_off(stretch);
  }
  if (is_read) {
    take(stretch);
  } else {
    ++balance_->unread;
    balance_->change += stretch.y_end - stretch.step.y_begin();
  }
  y_last_ = stretch.y_end;
  sides_ = stretch.dynamics.binding_of(stretch.mode)->sides;
  balance_->t_end = stretch.t_end;
}

}  // namespace vinculum::sim
