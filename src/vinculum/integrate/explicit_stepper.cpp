#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/integrate/error_norm.hpp"
#include "vinculum/integrate/method.hpp"
#include "vinculum/integrate/rate_noise.hpp"
#include "vinculum/integrate/stage_sums.hpp"
#include "vinculum/integrate/starting_step.hpp"
#include "vinculum/integrate/step_controller.hpp"
#include "vinculum/integrate/stepper.hpp"
#include "vinculum/numeric/finite.hpp"

namespace vinculum::integrate {
namespace {

constexpr double kPart = 0.01;  // permitted error of the first step, as a fraction of the tolerance
// If the projection corrects the state by at most this many tolerances, the derivative before the projection is still
// used (docs/numerics.md, projection).
constexpr double kLargeCorrection = 10.0;

int padded_size(int size) { return (size + 3) / 4 * 4; }

/// One step of an explicit Runge–Kutta method. Allocates only in the constructor and when a derivative fails.
class ExplicitStepper final : public Stepper {
 public:
  ExplicitStepper(const Method& method, const Problem& problem, double tolerance);

  Outcome<void> start(double t, const Vector& y) override;
  double first_step(double longest) override;
  Trial attempt(double h, double t_end) override;
  WorstComponent worst() const override;
  Trial complete() override;
  double after_accepted(double h) override { return h * controller_.after_accepted(error_); }
  double after_rejected(double h, double excess) override {
    if (error_ > 1.0 && std::isfinite(excess)) {
      y_stage_ = errors_.col(0).cwiseAbs() * h_;
      noise_.learn(norm_, t_, y_.data(), y_stage_, h_);
      norm_.try_for(y_.data(), y_new_.data(), y_stage_.data());
    }
    return h * controller_.after_rejected(excess);
  }
  Outcome<void> interpolate(double t, Vector& y) override;
  bool rates(Vector& least, Vector& most) const override;
  std::vector<double> weighed() const override;
  std::vector<QuadratureNode> quadrature() const override;
  Outcome<void> step_to(double t, Vector& y) override;
  Outcome<void> step_back_to(double t, Vector& y) override;
  double stiffness() const override { return stiffness_; }
  void advance() override;
  Failure failure(Trial trial) const override;

 private:
  [[nodiscard]] bool evaluate(double t, const double* y, double* y_dot);
  [[nodiscard]] bool look(double t, const double* y, double* y_dot);
  [[nodiscard]] bool is_finite(const double* v) const;
  void compare_last_stages();
  /// Computes y at t as the end of a separate step from the state `from` at t_from, forwards or backwards in time. The
  /// rate at `from` is known: column `rate` of the stages.
  [[nodiscard]] Outcome<void> step_from(double t_from, const Vector& from, Eigen::Index rate, double t, Vector& y);
  [[nodiscard]] double error_of(double h, const Matrix& k, Matrix& errors) const;
  [[nodiscard]] Outcome<void> prepare_dense_output();
  [[nodiscard]] double* stage(int i) { return k_.data() + static_cast<std::ptrdiff_t>(i) * padded_; }

  const Problem& problem_;
  const RungeKutta& method_;
  int size_;
  // Length of vectors. They are padded with zeros to a multiple of 4, so that vectorized loops have no remainder.
  std::ptrdiff_t padded_;
  double tolerance_;
  bool compensated_;
  ErrorNorm norm_;
  StepController controller_;

  double h_ = 0.0;
  Vector y_, y_new_, y_stage_;  // [padded] state at the start, at the end, and at a stage
  Vector y_last_stage_;         // [padded] state of the last stage before y_new, also at the end of the step
  double stiffness_ = 0.0;
  Vector carry_, carry_new_;  // [padded] rounding errors of y, for compensated summation
  Matrix k_;                  // [padded × rows] stages
  RateNoise noise_;
  Matrix k_shown_;                // [padded × stages + 1] stages of separate steps to displayed instants
  Matrix errors_, errors_shown_;  // [padded × error_rows] errors of the step, and of separate steps
  Matrix dense_;                  // [padded × 3+dense_rows] coefficients r_i of the dense output
  bool dense_ready_ = false;
  Failure failure_;
};

ExplicitStepper::ExplicitStepper(const Method& method, const Problem& problem, double tolerance)
    : problem_(problem),
      method_(method.runge_kutta),
      size_(problem.size),
      padded_(padded_size(problem.size)),
      tolerance_(tolerance),
      compensated_(tolerance < tolerance::kStagnation),
      norm_(problem, tolerance, static_cast<int>(padded_)),
      controller_(method_),
      y_(Vector::Zero(padded_)),
      y_new_(Vector::Zero(padded_)),
      y_stage_(Vector::Zero(padded_)),
      y_last_stage_(Vector::Zero(padded_)),
      carry_(Vector::Zero(padded_)),
      carry_new_(Vector::Zero(padded_)),
      k_(Matrix::Zero(padded_, method_.rows())),
      noise_(problem, tolerance, static_cast<int>(padded_), method_.error_exponent,
             [this](double t, const double* y, double* y_dot) { return evaluate(t, y, y_dot) && is_finite(y_dot); }),
      k_shown_(Matrix::Zero(padded_, method_.stages + 1)),
      errors_(Matrix::Zero(padded_, method_.error_rows)),
      errors_shown_(Matrix::Zero(padded_, method_.error_rows)),
      dense_(Matrix::Zero(padded_, 3 + method_.dense_rows)) {
  VINCULUM_EXPECTS(problem.derivative != nullptr);
}

bool ExplicitStepper::evaluate(double t, const double* y, double* y_dot) {
  ++evaluations_;
  Outcome<void> done = problem_.derivative(t, y, y_dot);
  if (done) return true;
  failure_ = std::move(done.error());
  return false;
}

bool ExplicitStepper::look(double t, const double* y, double* y_dot) {
  if (!problem_.look) return evaluate(t, y, y_dot);
  ++evaluations_;
  Outcome<void> done = problem_.look(t, y, y_dot);
  if (done) return true;
  failure_ = std::move(done.error());
  return false;
}

bool ExplicitStepper::is_finite(const double* v) const { return numeric::is_finite(v, size_); }

Outcome<void> ExplicitStepper::start(double t, const Vector& y) {
  VINCULUM_EXPECTS(y.size() == size_);
  t_ = t_end_ = t;
  y_.head(size_) = y;
  y_new_ = y_;
  y_begin_ = y_end_ = y;
  norm_.reach(y_.data());
  carry_.setZero();
  if (!evaluate(t, y_.data(), stage(0))) return fail(failure(Trial::kFailed));
  if (!is_finite(y_.data()) || !is_finite(stage(0))) return fail(failure(Trial::kNotFinite));
  return {};
}

double ExplicitStepper::first_step(double longest) {
  noise_.measure(norm_, t_, y_.data(), stage(0));
  return starting_step(problem_, {t_, y_.data(), stage(0)}, noise_, kPart * tolerance_, method_.error_exponent,
                       longest);
}

Trial ExplicitStepper::attempt(double h, double t_end) {
  const StageSums& sums = *method_.sums;
  noise_.count_attempt(norm_, t_, y_.data(), stage(0));
  h_ = h;
  t_end_ = t_end;
  dense_ready_ = false;
  for (int i = 1; i < method_.stages; ++i) {
    const double c = method_.c[static_cast<std::size_t>(i)];
    sums.advance[static_cast<std::size_t>(i)](y_.data(), h, k_.data(), padded_, y_stage_.data());
    if (!evaluate(c == 1.0 ? t_end : t_ + c * h, y_stage_.data(), stage(i))) return Trial::kFailed;
  }
  y_last_stage_ = y_stage_;
  if (compensated_) {
    sums.increment(k_.data(), padded_, y_stage_.data());
    for (std::ptrdiff_t i = 0; i < padded_; ++i) {
      const double increment = h * y_stage_[i] + carry_[i];
      y_new_[i] = y_[i] + increment;
      carry_new_[i] = increment - (y_new_[i] - y_[i]);
    }
  } else {
    sums.advance[static_cast<std::size_t>(method_.stages)](y_.data(), h, k_.data(), padded_, y_new_.data());
  }
  if (!is_finite(y_new_.data())) return Trial::kNotFinite;
  if (method_.error_uses_last && !evaluate(t_end, y_new_.data(), stage(method_.stages))) return Trial::kFailed;

  norm_.set_scale(y_.data(), y_new_.data(), noise_.values(norm_, h).data(), h);
  error_ = error_of(h, k_, errors_);
  return std::isfinite(error_) ? Trial::kGood : Trial::kNotFinite;
}

/// Ratio of the error to the tolerance, with the current tolerances.   \param k  [padded × stages + 1]   \param errors
/// [padded × error_rows]
double ExplicitStepper::error_of(double h, const Matrix& k, Matrix& errors) const {
  const StageSums& sums = *method_.sums;
  sums.error[0](k.data(), padded_, errors.data());
  const double square = norm_.mean_square(errors.data());
  if (method_.error_rows == 1) return h * std::sqrt(square);
  sums.error[1](k.data(), padded_, errors.data() + padded_);
  const double both = square + 0.01 * norm_.mean_square(errors.data() + padded_);
  return both > 0.0 ? h * square / std::sqrt(both) : 0.0;
}

WorstComponent ExplicitStepper::worst() const {
  WorstComponent worst = norm_.worst(errors_.data());
  worst.ratio *= h_;
  return worst;
}

/// Computes the stiffness indicator from two states at the end of the step: the new state and the state of the last
/// stage. The indicator is h / s times the distance of their rates divided by the distance of the states; s is
/// RungeKutta::stability. \pre the rates at both states are known.
void ExplicitStepper::compare_last_stages() {
  y_last_stage_ -= y_new_;
  errors_shown_.col(0) = k_.col(method_.stages - 1) - k_.col(method_.stages);
  const double apart = norm_.mean_square(y_last_stage_.data()), of_rates = norm_.mean_square(errors_shown_.data());
  stiffness_ = apart > 0.0 ? h_ * std::sqrt(of_rates / apart) / method_.stability : 0.0;
}

Trial ExplicitStepper::complete() {
  double* const y_dot_end = stage(method_.stages);
  if (!method_.error_uses_last && !evaluate(t_end_, y_new_.data(), y_dot_end)) return Trial::kFailed;
  compare_last_stages();
  correction_ = {};
  if (problem_.project) {
    y_stage_ = y_new_;
    Outcome<double> correction = problem_.project(t_end_, y_new_.data());
    if (!correction) {
      failure_ = std::move(correction.error());
      return Trial::kFailed;
    }
    if (!is_finite(y_new_.data())) return Trial::kNotFinite;
    y_stage_ -= y_new_;
    correction_ = norm_.worst_correction(y_stage_.data());
    if (!(*correction <= kLargeCorrection) && !evaluate(t_end_, y_new_.data(), y_dot_end)) return Trial::kFailed;
  }
  if (!is_finite(y_dot_end)) return Trial::kNotFinite;
  y_end_ = y_new_.head(size_);
  return Trial::kGood;
}

void ExplicitStepper::advance() {
  t_ = t_end_;
  noise_.forget_failed();
  norm_.reach(y_new_.data());
  y_.swap(y_new_);
  y_begin_.swap(y_end_);
  carry_.swap(carry_new_);
  k_.col(0) = k_.col(method_.stages);
}

Outcome<void> ExplicitStepper::prepare_dense_output() {
  const StageSums& sums = *method_.sums;
  for (int i = method_.stages + 1; i < method_.rows(); ++i) {
    sums.advance[static_cast<std::size_t>(i)](y_.data(), h_, k_.data(), padded_, y_stage_.data());
    if (!look(t_ + method_.c[static_cast<std::size_t>(i)] * h_, y_stage_.data(), stage(i))) return fail(failure_);
  }
  // r_0 uses the projected state at the end, so that the dense output is continuous from step to step.
  dense_.col(0) = y_new_ - y_;
  dense_.col(1) = h_ * k_.col(0) - dense_.col(0);
  dense_.col(2) = dense_.col(0) - h_ * k_.col(method_.stages) - dense_.col(1);
  for (int i = 0; i < method_.dense_rows; ++i) {
    sums.dense[static_cast<std::size_t>(i)](k_.data(), padded_, dense_.col(3 + i).data());
    dense_.col(3 + i) *= h_;
  }
  dense_ready_ = true;
  return {};
}

Outcome<void> ExplicitStepper::interpolate(double t, Vector& y) {
  t = time_within(t, t_, t_end_);
  y.resize(size_);
  if (t == t_end_) {
    y = y_end_;
    return {};
  }
  if (!dense_ready_) {
    if (Outcome<void> done = prepare_dense_output(); !done) return done;
  }
  const double theta = (t - t_) / (t_end_ - t_);
  const Eigen::Index last = dense_.cols() - 1;
  y = dense_.col(last).head(size_);
  for (Eigen::Index j = last - 1; j >= 0; --j) {
    y = dense_.col(j).head(size_) + (j % 2 == 0 ? 1.0 - theta : theta) * y;
  }
  y = y_begin_ + theta * y;
  return {};
}

bool ExplicitStepper::rates(Vector& least, Vector& most) const {
  least = most = k_.col(0).head(size_);
  for (Eigen::Index j = 1; j <= method_.stages; ++j) {
    least = least.cwiseMin(k_.col(j).head(size_));
    most = most.cwiseMax(k_.col(j).head(size_));
  }
  return true;
}

std::vector<QuadratureNode> ExplicitStepper::quadrature() const {
  std::vector<QuadratureNode> rule;
  const auto weights = static_cast<std::size_t>(method_.stages * method_.rows());
  for (std::size_t i = 0; i < static_cast<std::size_t>(method_.stages); ++i)
    if (method_.a[weights + i] != 0.0) rule.push_back({method_.c[i], method_.a[weights + i]});
  return rule;
}

std::vector<double> ExplicitStepper::weighed() const {
  std::vector<double> parts;
  const std::size_t first = static_cast<std::size_t>(method_.stages) * static_cast<std::size_t>(method_.rows());
  for (std::size_t j = 0; j < static_cast<std::size_t>(method_.stages); ++j) {
    if (method_.a[first + j] != 0.0) parts.push_back(method_.c[j]);
  }
  parts.push_back(1.0);
  return parts;
}

Outcome<void> ExplicitStepper::step_to(double t, Vector& y) {
  if (!(t > t_) || t >= t_end_) return interpolate(t, y);
  return step_from(t_, y_, 0, t, y);
}

Outcome<void> ExplicitStepper::step_back_to(double t, Vector& y) {
  if (!(t > t_) || t >= t_end_) return interpolate(t, y);
  return step_from(t_end_, y_new_, method_.stages, t, y);
}

Outcome<void> ExplicitStepper::step_from(double t_from, const Vector& from, Eigen::Index rate, double t, Vector& y) {
  const double h = t - t_from;
  const StageSums& sums = *method_.sums;
  k_shown_.col(0) = k_.col(rate);
  for (int i = 1; i < method_.stages; ++i) {
    sums.advance[static_cast<std::size_t>(i)](from.data(), h, k_shown_.data(), padded_, y_stage_.data());
    const double c = method_.c[static_cast<std::size_t>(i)];
    if (!look(t_from + c * h, y_stage_.data(), k_shown_.col(i).data())) return fail(failure_);
  }
  sums.advance[static_cast<std::size_t>(method_.stages)](from.data(), h, k_shown_.data(), padded_, y_stage_.data());
  y = y_stage_.head(size_);
  if (!is_finite(y_stage_.data())) return fail(failure(Trial::kNotFinite));
  if (method_.error_uses_last && !look(t, y_stage_.data(), k_shown_.col(method_.stages).data())) return fail(failure_);
  if (error_of(std::abs(h), k_shown_, errors_shown_) <= 1.0) return {};
  Failure inaccurate;
  inaccurate.kind = FailureKind::kStepTooSmall;
  inaccurate.t = t;
  return fail(std::move(inaccurate));
}

Failure ExplicitStepper::failure(Trial trial) const {
  Failure failure;
  if (trial == Trial::kFailed) {
    failure = failure_;
  } else {
    failure.kind = FailureKind::kNonFinite;
    int component = -1;
    for (Eigen::Index column = 0; column <= method_.stages && component < 0; ++column) {
      for (int i = 0; i < size_ && component < 0; ++i) {
        if (!std::isfinite(k_(i, column))) component = i;
      }
    }
    const bool is_derivative = component >= 0;
    for (int i = 0; i < size_ && component < 0; ++i) {
      if (!std::isfinite(y_new_[i])) component = i;
    }
    if (component >= 0) failure.coordinates = {component};
    failure.message =
        fmt::format("{} of component {} is not finite", is_derivative ? "the derivative" : "the state", component);
  }
  failure.t = t_;
  return failure;
}

}  // namespace

std::unique_ptr<Stepper> make_explicit_stepper(const Method& method, const Problem& problem, double tolerance) {
  return std::make_unique<ExplicitStepper>(method, problem, tolerance);
}

}  // namespace vinculum::integrate
