#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/integrate/by_differences.hpp"
#include "vinculum/integrate/method.hpp"
#include "vinculum/integrate/radau_stages.hpp"
#include "vinculum/integrate/rate_noise.hpp"
#include "vinculum/integrate/starting_step.hpp"
#include "vinculum/integrate/stepper.hpp"

namespace vinculum::integrate {
namespace {

using Use = ImplicitProblem::Use;

constexpr int kErrorExponent = 4;  // The estimated error is of order h⁴, because the embedded solution has order 3.
// If a step is longer than the previous step by more than this factor, rates of convergence from earlier steps are
// ignored.
constexpr double kGrowthThatForgets = 2.0;
// Largest permitted iteration error per step, as a fraction of the requested tolerance.
constexpr double kOfTolerance = 0.1;
// For fewer unknowns than this, a new Jacobian in every step costs less than the iterations that it saves.
constexpr int kCheapSize = 60;
constexpr double kUnmoved = 0.01;  // If the projection corrects the end by at most this many tolerances, the rate at
                                   // the unprojected end is used.

/// Tolerance of the error estimate, which has order 3 while the result has order 5. The factor is half of the factor in
/// radau5.f. With it the result on Kepler's ellipse stays within 100 requested tolerances down to 1e-12, as with the
/// explicit methods.
double internal_tolerance(double tolerance) { return 0.05 * std::pow(tolerance, 2.0 / 3.0); }

/// Radau IIA of order 5 with the step control of RADAU5 (Hairer & Wanner II, IV.8). Its unknowns are x = (y, s): the
/// state and the algebraic unknowns.
class RadauStepper final : public Stepper {
 public:
  RadauStepper(const Problem& problem, double tolerance);

  Outcome<void> start(double t, const Vector& y) override;
  double first_step(double longest) override;
  Trial attempt(double h, double t_end) override;
  Trial complete() override;
  double after_accepted(double h) override;
  double after_rejected(double h, double excess) override;
  Outcome<void> interpolate(double t, Vector& y) override;
  std::vector<double> weighed() const override { return {0.0, scheme_.c[0], scheme_.c[1], 1.0}; }
  std::vector<QuadratureNode> quadrature() const override {
    return {{scheme_.c[0], scheme_.A(2, 0)}, {scheme_.c[1], scheme_.A(2, 1)}, {scheme_.c[2], scheme_.A(2, 2)}};
  }
  Outcome<void> step_to(double t, Vector& y) override;
  void advance() override;
  WorstComponent worst() const override { return norm_.worst(error_vector_.data()); }
  Failure failure(Trial trial) const override;

 private:
  [[nodiscard]] bool evaluate(double t, const Vector& x, Vector& F);
  [[nodiscard]] bool rate(double t, const double* y, double* y_dot);
  [[nodiscard]] bool linearize();
  void set_scale(double h, const Vector& y_new);
  void predict(double h);
  [[nodiscard]] double size_of_error();
  void estimate(double h);
  [[nodiscard]] Failure not_converged() const;

  const Problem& problem_;
  const RadauScheme& scheme_ = radau_scheme();
  std::shared_ptr<ImplicitProblem> implicit_;
  int size_;            // number of components of y
  Eigen::Index whole_;  // number of components of x
  double tolerance_;
  ErrorNorm norm_;
  RateNoise noise_;
  // Stages of the step (stages_), and of separate steps to displayed instants (shown_).
  RadauStages stages_, shown_;
  ImplicitScale scale_;

  double h_ = 0.0;
  // [whole] x and its F at the start of the step, and at its end.
  Vector x_, F_, x_end_, F_end_;
  Matrix J_;  // [whole × whole] Jacobian at the start or at an earlier state
  bool is_linearized_ = false, is_fresh_ = false;
  Matrix gains_;                          // [whole × 3] increments at the stages, the last one projected
  CollocationPolynomial dense_, before_;  // polynomials of this step, and of the previous step before its projection
  double h_before_ = 0.0;                 // size of the previous step; 0: there is none
  bool dense_ready_ = false;
  Vector error_vector_, defect_, scratch_, moved_;
  double h_accepted_ = 0.0, error_accepted_ = kRadauControl.least_error;
  bool is_first_ = true, was_rejected_ = false;
  double shrink_ = 0.5;
  enum class Cause { kEvaluation, kIteration } cause_ = Cause::kEvaluation;  // cause of a failed trial
  Failure failure_;                                                          // reason of Cause::kEvaluation
  int culprit_ = -1;  // component of a stage's rate that is not finite
};

RadauStepper::RadauStepper(const Problem& problem, double tolerance)
    : problem_(problem),
      implicit_(problem.implicit ? problem.implicit() : nullptr),
      size_(problem.size),
      whole_((implicit_ ? implicit_ : implicit_ = std::make_shared<ByDifferences>(problem))->algebraic() + size_),
      tolerance_(internal_tolerance(tolerance)),
      norm_(problem, tolerance_, static_cast<int>(whole_), tolerance::kFloor),
      noise_(problem, tolerance, size_, kErrorExponent,
             [this](double t, const double* y, double* y_dot) { return rate(t, y, y_dot); }),
      stages_(*implicit_, size_, 10.0 * tolerance::kRounding / tolerance_),
      shown_(stages_),
      x_(Vector::Zero(whole_)),
      F_(x_),
      x_end_(x_),
      F_end_(x_),
      J_(Matrix::Zero(whole_, whole_)),
      gains_(Matrix::Zero(whole_, 3)),
      error_vector_(x_),
      defect_(x_),
      scratch_(x_),
      moved_(x_) {
  scale_.inverse = Vector::Zero(whole_);
  dense_.fit(gains_);
  before_.fit(gains_);
  // The error that Newton's iteration leaves in each step must stay below the requested tolerance.
  const double demand = std::min(kRadauControl.demand, kOfTolerance * tolerance / tolerance_);
  stages_.set_demand(demand);
  shown_.set_demand(demand);
}

bool RadauStepper::evaluate(double t, const Vector& x, Vector& F) {
  ++evaluations_;
  auto done = implicit_->evaluate(t, x.data(), F.data(), Use::kMoves);
  if (done) return true;
  failure_ = std::move(done.error());
  cause_ = Cause::kEvaluation;
  return false;
}

/// y' at the state y, with the algebraic unknowns s kept at their values at the start of the step.
bool RadauStepper::rate(double t, const double* y, double* y_dot) {
  moved_ = x_;
  std::copy_n(y, size_, moved_.data());
  ++evaluations_;
  if (!implicit_->evaluate(t, moved_.data(), scratch_.data(), Use::kLooks) || !scratch_.allFinite()) return false;
  std::copy_n(scratch_.data(), size_, y_dot);
  return true;
}

Outcome<void> RadauStepper::start(double t, const Vector& y) {
  VINCULUM_EXPECTS(y.size() == size_);
  t_ = t_end_ = t;
  y_begin_ = y_end_ = y;
  x_.head(size_) = y;
  x_end_ = x_;
  if (auto done = implicit_->settle(t, x_.data()); !done) return done;
  norm_.reach(x_.data());
  is_linearized_ = false;
  h_before_ = 0.0;
  stages_.forget();
  if (!evaluate(t, x_, F_)) return fail(failure(Trial::kFailed));
  F_end_ = F_;
  if (!x_.allFinite() || !F_.allFinite()) return fail(failure(Trial::kNotFinite));
  return {};
}

double RadauStepper::first_step(double longest) {
  noise_.measure(norm_, t_, x_.data(), F_.data());
  return starting_step(problem_, {t_, x_.data(), F_.data()}, noise_, tolerance_, kErrorExponent, longest);
}

bool RadauStepper::linearize() {
  is_linearized_ = is_fresh_ = implicit_->linearize(t_, x_.data(), F_.data(), J_);
  return is_linearized_;
}

/// Sets the tolerances of x for a step from x to y_new. An error of s counts by its effect on the speeds over the step.
/// \pre the factors of the step are computed.
void RadauStepper::set_scale(double h, const Vector& y_new) {
  // The error estimate multiplies the rates by (γE/h − J)⁻¹. The uncertainty of the rates is multiplied by the same
  // matrix.
  scratch_.setZero();
  scratch_.head(size_) = noise_.values(norm_, h);
  stages_.solve(scratch_, defect_);
  defect_ = defect_.cwiseAbs() / h;
  norm_.set_scale(x_.data(), y_new.data(), defect_.data(), h);
  for (int i = 0; i < size_; ++i) scale_.inverse[i] = norm_.per_tolerance(i);
  for (Eigen::Index k = size_; k < whole_; ++k)
    scale_.inverse[k] = h * J_.col(k).head(size_).cwiseProduct(scale_.inverse.head(size_)).cwiseAbs().maxCoeff();
}

/// Predicts Z for Newton's iteration by extrapolating the polynomial of the previous step.
void RadauStepper::predict(double h) {
  stages_.Z.setZero();
  if (!(h_before_ > 0.0)) return;
  before_.evaluate(1.0, defect_);
  for (int i = 0; i < 3; ++i) {
    before_.evaluate(1.0 + scheme_.c[i] * h / h_before_, scratch_);
    stages_.Z.col(i) = scratch_ - defect_;
  }
}

Trial RadauStepper::attempt(double h, double t_end) {
  noise_.count_attempt(norm_, t_, x_.data(), F_.data());
  h_ = h;
  t_end_ = t_end;
  dense_ready_ = false;
  culprit_ = -1;
  error_vector_.setZero();
  while (true) {
    const bool is_new = !is_linearized_;
    cause_ = Cause::kIteration;
    shrink_ = 0.5;
    if (is_new && !linearize()) return Trial::kFailed;
    if ((is_new || stages_.h() != h) && !stages_.factor(h, J_)) {
      if (is_fresh_) return Trial::kFailed;
      is_linearized_ = false;
      continue;
    }
    if (h > kGrowthThatForgets * h_before_) stages_.forget();
    predict(h);
    // The tolerances are needed before the step is computed, so its end is predicted: by the linearization, or by
    // extrapolating the previous step.
    stages_.solve(F_, scratch_);
    x_end_ = x_ + scheme_.gamma * scratch_;
    if (h_before_ > 0.0) x_end_ = x_ + stages_.Z.col(2);
    set_scale(h, x_end_);
    const auto end = stages_.find(t_, t_end, x_, scale_, Use::kMoves);
    evaluations_ += stages_.take_evaluations();
    if (end == RadauStages::End::kFound) break;
    stages_.forget();
    if (!is_fresh_ && end == RadauStages::End::kDiverged) {
      is_linearized_ = false;
      continue;
    }
    shrink_ = stages_.shrink();
    if (end == RadauStages::End::kNotEvaluated) failure_ = stages_.failure();
    if (end == RadauStages::End::kNotEvaluated) cause_ = Cause::kEvaluation;
    culprit_ = stages_.culprit();
    return end == RadauStages::End::kNotFinite ? Trial::kNotFinite : Trial::kFailed;
  }
  x_end_ = x_ + stages_.Z.col(2);
  if (!x_end_.allFinite()) return Trial::kNotFinite;
  set_scale(h, x_end_);
  estimate(h);
  return std::isfinite(error_) ? Trial::kGood : Trial::kNotFinite;
}

/// Norm of the error estimate in tolerances. The error of a force s at the end of the step affects the speeds with the
/// weight of the last stage, the entry (3, 3) of the method's matrix A.
double RadauStepper::size_of_error() {
  scratch_ = error_vector_;
  scratch_.tail(whole_ - size_) *= scheme_.A(2, 2);
  return scale_.norm(scratch_);
}

/// Error estimate (γE/h − J)⁻¹ (F + E Σ e_i Z_i/h). If it is too large in a first step or after a rejected one, it is
/// evaluated once more, with F at the state corrected by the first estimate. The first estimate is too large for fast
/// components that have decayed.
void RadauStepper::estimate(double h) {
  defect_ = stages_.Z.lazyProduct(scheme_.e);
  defect_ /= h;
  defect_.tail(whole_ - size_).setZero();
  scratch_ = F_ + defect_;
  stages_.solve(scratch_, error_vector_);
  error_ = size_of_error();
  if (!(error_ >= 1.0) || !(is_first_ || was_rejected_)) return;
  scratch_ = x_ + error_vector_;
  moved_.setZero();
  ++evaluations_;
  if (!implicit_->evaluate(t_, scratch_.data(), moved_.data(), Use::kLooks) || !moved_.allFinite()) return;
  moved_ += defect_;
  stages_.solve(moved_, error_vector_);
  error_ = size_of_error();
}

Trial RadauStepper::complete() {
  if (!evaluate(t_end_, x_end_, F_end_)) return Trial::kFailed;
  correction_ = {};
  gains_ = stages_.Z;
  if (problem_.project) {
    scratch_ = x_end_;
    auto ready = implicit_->before_projection(t_end_, x_end_.data());
    auto moved = ready ? problem_.project(t_end_, x_end_.data()) : fail(std::move(ready.error()));
    if (!moved) {
      failure_ = std::move(moved.error());
      cause_ = Cause::kEvaluation;
      return Trial::kFailed;
    }
    if (!x_end_.allFinite()) return Trial::kNotFinite;
    scratch_ -= x_end_;
    correction_ = norm_.worst_correction(scratch_.data());
    if (!(correction_.ratio <= kUnmoved) && !evaluate(t_end_, x_end_, F_end_)) return Trial::kFailed;
    gains_.col(2) -= scratch_;
  }
  if (!F_end_.allFinite()) return Trial::kNotFinite;
  y_end_ = x_end_.head(size_);
  return Trial::kGood;
}

double RadauStepper::after_accepted(double h) {
  const double error = std::max(error_, kRadauControl.vanishing);
  const double least = 1.0 / kRadauControl.most_growth;
  const int most = RadauStages::kMost;
  const double safety = std::min(kRadauControl.share_of_growth,
                                 kRadauControl.share_of_growth * (1 + 2 * most) / (stages_.iterations() + 2 * most));
  double quotient = std::clamp(std::pow(error, 0.25) / safety, least, kRadauControl.most_shrink);
  if (h_accepted_ > 0.0) {
    const double by_two =
        h_accepted_ / h * std::pow(error * error / error_accepted_, 0.25) / kRadauControl.share_of_growth;
    quotient = std::max(quotient, std::clamp(by_two, least, kRadauControl.most_shrink));
  }
  h_accepted_ = h;
  error_accepted_ = std::max(kRadauControl.least_error, error);
  double next = h / quotient;
  if (was_rejected_) next = std::min(next, h);
  was_rejected_ = is_first_ = false;
  const bool keeps = whole_ >= kCheapSize && stages_.contraction() <= kRadauControl.kept_rate;
  return keeps && next >= h && next <= kRadauControl.kept_step * h ? h : next;
}

double RadauStepper::after_rejected(double h, double excess) {
  was_rejected_ = true;
  if (!std::isfinite(excess)) return h * (error_vector_.isZero() ? shrink_ : 0.5);
  scratch_ = error_vector_.cwiseAbs();
  if (error_ > 1.0) norm_.try_for(x_.data(), x_end_.data(), scratch_.data());
  if (is_first_) return kRadauControl.shrink_at_start * h;
  if (error_ > 1.0) noise_.learn(norm_, t_, x_.data(), scratch_, h);
  const int most = RadauStages::kMost;
  const double safety = std::min(kRadauControl.share_of_growth,
                                 kRadauControl.share_of_growth * (1 + 2 * most) / (stages_.iterations() + 2 * most));
  return h / std::clamp(std::pow(std::max(excess, 1.0), 0.25) / safety, 1.0 / kRadauControl.share_of_growth,
                        kRadauControl.most_shrink);
}

void RadauStepper::advance() {
  before_.fit(stages_.Z);
  h_before_ = h_;
  t_ = t_end_;
  noise_.forget_failed();
  norm_.reach(x_end_.data());
  x_.swap(x_end_);
  F_.swap(F_end_);
  y_begin_.swap(y_end_);
  is_fresh_ = false;
  is_linearized_ = whole_ >= kCheapSize && stages_.contraction() <= kRadauControl.kept_rate;
  dense_ready_ = false;
}

Outcome<void> RadauStepper::interpolate(double t, Vector& y) {
  t = time_within(t, t_, t_end_);
  y.resize(size_);
  if (t == t_end_) {
    y = y_end_;
    return {};
  }
  if (!dense_ready_) dense_.fit(gains_);
  dense_ready_ = true;
  dense_.evaluate((t - t_) / (t_end_ - t_), scratch_);
  y = y_begin_ + scratch_.head(size_);
  return {};
}

/// Computes y at t by a separate step. Its Newton iteration uses the Jacobian of the current step and starts from the
/// polynomial of the current step.
Outcome<void> RadauStepper::step_to(double t, Vector& y) {
  const double h = t - t_;
  if (!(h > 0.0) || t >= t_end_) return interpolate(t, y);
  if (!shown_.factor(h, J_)) return interpolate(t, y);
  if (!dense_ready_) dense_.fit(gains_);
  dense_ready_ = true;
  for (int i = 0; i < 3; ++i) {
    dense_.evaluate(scheme_.c[i] * h / (t_end_ - t_), scratch_);
    shown_.Z.col(i) = scratch_;
  }
  shown_.forget();
  const auto end = shown_.find(t_, t, x_, scale_, Use::kLooks);
  evaluations_ += shown_.take_evaluations();
  if (end != RadauStages::End::kFound) return fail(not_converged());
  y = y_begin_ + shown_.Z.col(2).head(size_);
  return {};
}

Failure RadauStepper::not_converged() const {
  Failure failure;
  failure.kind = FailureKind::kStepTooSmall;
  failure.message = "Newton's iteration for the stages of a step finds no end, however short the step";
  failure.t = t_;
  return failure;
}

Failure RadauStepper::failure(Trial trial) const {
  Failure failure;
  if (trial == Trial::kFailed) {
    failure = cause_ == Cause::kEvaluation ? failure_ : not_converged();
  } else {
    failure.kind = FailureKind::kNonFinite;
    const auto culprit = [&](const Vector& v) {
      for (int i = 0; i < size_; ++i) {
        if (!std::isfinite(v[i])) return i;
      }
      return -1;
    };
    int component = culprit_ >= 0 ? culprit_ : culprit(F_end_);
    const bool is_derivative = component >= 0;
    if (!is_derivative) component = culprit(x_end_);
    if (component >= 0) failure.coordinates = {component};
    failure.message =
        fmt::format("{} of component {} is not finite", is_derivative ? "the derivative" : "the state", component);
  }
  failure.t = t_;
  return failure;
}

}  // namespace

std::unique_ptr<Stepper> make_radau_stepper(const Method&, const Problem& problem, double tolerance) {
  return std::make_unique<RadauStepper>(problem, tolerance);
}

}  // namespace vinculum::integrate
