#include "vinculum/sensitivity/sensitivities.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/integrate/integrator.hpp"

namespace vinculum::sensitivity {
namespace {

Failure without_derivative(double t) {
  Failure failure;
  failure.kind = FailureKind::kNotUnique;
  failure.t = t;
  failure.message = "the equations of motion have no finite derivative here";
  return failure;
}

/// The reason why S cannot be integrated further, from the failure of the integration.
Failure unbounded(const Failure& cause) {
  Failure failure = without_derivative(cause.t);
  failure.message = "the derivatives of the motion have no bound here: " + cause.message;
  return failure;
}

// Factor by which the tolerance of S is raised where its rounding errors exceed the tolerance.
constexpr double kRaised = 30.0;

}  // namespace

Outcome<std::unique_ptr<Sensitivities>> Sensitivities::make(std::shared_ptr<const sim::Binding> bound, Wanted wanted) {
  std::vector<std::size_t> parameters;
  for (const Quantity& one : wanted.quantities)
    if (one.of == Quantity::Of::kParameter) parameters.push_back(one.index);
  auto family = ModeFamily::make(bound, parameters);
  if (!family) return fail(std::move(family.error()));
  return std::unique_ptr<Sensitivities>(
      new Sensitivities(std::move(bound), std::move(wanted), *std::move(family)));  // NOLINT: private constructor
}

Sensitivities::Sensitivities(std::shared_ptr<const sim::Binding> bound, Wanted wanted, ModeFamily family)
    : bound_(std::move(bound)),
      wanted_(std::move(wanted)),
      family_(std::move(family)),
      in_time_(wanted_.at.size()),
      asked_(wanted_.at.size()) {
  const auto is_parameter = [](const Quantity& one) { return one.of == Quantity::Of::kParameter; };
  by_p_ = Matrix::Zero(std::ranges::count_if(wanted_.quantities, is_parameter), columns_of_S());
  Eigen::Index row = 0;
  for (Eigen::Index k = 0; k < by_p_.cols(); ++k)
    if (is_parameter(wanted_.quantities[static_cast<std::size_t>(k)])) by_p_(row++, k) = 1.0;
  std::iota(in_time_.begin(), in_time_.end(), std::size_t{0});
  std::ranges::stable_sort(in_time_, {}, [this](std::size_t i) { return wanted_.at[i]; });
  for (std::size_t i = 0; i < asked_.size(); ++i) asked_[i].t = wanted_.at[i];
}

void Sensitivities::sample(const sim::Sample& sample) {
  Vector y(sample.q.size() + sample.u.size() + sample.z.size());
  y << sample.q, sample.u, sample.z;
  waiting_.push_back({sample.t, std::move(y), true});
}

/// The instants of the open stretch, in the order of time. A sample at its end with another state lies after an event
/// and belongs to the next stretch.
std::vector<Sensitivities::Instant> Sensitivities::instants() {
  std::vector<Instant> found;
  std::size_t count = 0;
  const auto add_asked = [&](double until) {
    for (; next_asked_ < in_time_.size() && wanted_.at[in_time_[next_asked_]] <= until; ++next_asked_)
      found.push_back({wanted_.at[in_time_[next_asked_]], {}, false, in_time_[next_asked_]});
  };
  for (Instant& one : waiting_) {
    if (one.t > open_->t_end || (one.t == open_->t_end && one.y != open_->y_end)) break;
    add_asked(one.t);
    found.push_back(std::move(one));
    ++count;
  }
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
  add_asked(open_->t_end);
  return found;
}

void Sensitivities::end(Failure failure, double t) {
  if (failure.t == 0.0) failure.t = t;
  if (failure.advice.empty()) failure.advice = "end the run before this instant";
  ended_ = std::move(failure);
}

void Sensitivities::passed(const sim::Stretch& stretch) {
  if (ended_) return;
  auto done = close();
  if (done) done = open(stretch);
  if (!done) end(std::move(done.error()), stretch.step.t_begin());
}

void Sensitivities::finish(const sim::RunRecord& run) {
  if (const auto drops = run.all<sim::RankDrop>(); !drops.empty() && (!ended_ || ended_->t > drops.front().t)) {
    Failure failure;
    failure.kind = FailureKind::kNotUnique;
    failure.message =
        "the motion passes a singular pose here, where the rank of the constraints drops and neighbouring "
        "motions part";
    return end(std::move(failure), drops.front().t);
  }
  if (ended_) return;
  if (auto done = close(); !done) return end(std::move(done.error()), t_);
  for (const Instant& instant : waiting_) {
    samples_.push_back({instant.t, Matrix::Constant(instant.y.size(), columns_of_S(), std::nan("")),
                        Matrix::Constant(family_.columns().count, columns_of_S(), std::nan(""))});
  }
}

Outcome<void> Sensitivities::begin(const sim::Stretch& stretch) {
  scale_ = stretch.dynamics.scale();
  auto S = start_gradient(wanted_.quantities, wanted_.sizes, scale_, wanted_.start_of);
  if (!S) return fail(std::move(S.error()));
  S_ = *std::move(S);
  return {};
}

Outcome<void> Sensitivities::open(const sim::Stretch& stretch) {
  const double t = stretch.step.t_begin();
  const Vector& y = stretch.step.y_begin();
  if (!open_) {
    if (auto done = begin(stretch); !done) return done;
  } else if (auto done = jump(stretch.dynamics, family_, t, {open_->y_end, open_->mode}, {y, stretch.mode}, by_p_, S_);
             !done) {
    return done;
  }
  open_ = {&stretch.dynamics, stretch.mode, &family_.in(stretch.mode), stretch.t_end, stretch.y_end};
  t_ = t;
  y_ = y;
  return project(t, y, S_);
}

/// Computes S at the instants of the open stretch and at its end.
Outcome<void> Sensitivities::close() {
  if (!open_) return {};
  for (Instant& instant : instants()) {
    if (auto done = integrate(instant.t); !done) return done;
    if (auto done = record(instant); !done) return done;
  }
  if (auto done = integrate(open_->t_end); !done) return done;
  return project(open_->t_end, open_->y_end, S_);
}

Outcome<void> Sensitivities::project(double t, const Vector& y, Matrix& S) {
  return open_->equations->project(t, y.data(), scale_, by_p_, S) ? Outcome<void>() : fail(without_derivative(t));
}

/// Integrates y and the columns of S as one problem.
Outcome<void> Sensitivities::integrate(double t) {
  if (!(t - t_ > tolerance::kRounded * std::abs(t))) return {};
  const Eigen::Index columns = columns_of_S(), nq = (*bound_)->nq(), nu = (*bound_)->nu();
  integrate::Problem problem;
  problem.size = static_cast<int>(ny() * (1 + columns));
  problem.derivative = [this, columns, nq, nu](double at, const double* y, double* y_dot) -> Outcome<void> {
    if (auto done = open_->dynamics->derivative(std::as_const(open_->mode), at, y, y_dot); !done) return done;
    Eigen::Map<Matrix> rate(y_dot + ny(), ny(), columns);
    if (open_->equations->at(at, y, Eigen::Map<const Vector>(y_dot + nq, nu))) {
      rate.noalias() = open_->equations->F_y() * Eigen::Map<const Matrix>(y + ny(), ny(), columns);
      if (by_p_.rows() > 0) rate.noalias() += open_->equations->F_p() * by_p_;
    } else {
      rate.setConstant(std::nan(""));  // NaN rejects the step
    }
    return {};
  };
  problem.reached.resize(problem.size);
  for (Eigen::Index column = 0; column <= columns; ++column) {
    double size = 1.0;  // of the column, relative to the scale of the motion
    if (column > 0) {
      const double least = 1.0 / wanted_.sizes[static_cast<std::size_t>(column) - 1];
      size = std::max(S_.col(column - 1).cwiseQuotient(scale_).cwiseAbs().maxCoeff(), least);
    }
    problem.reached.segment(column * ny(), ny()) = scale_ * size;
  }
  problem.beside = problem.reached;
  integrate::Options how;
  how.method = wanted_.method;
  how.first_step = next_step_;
  Vector all(problem.size);
  all << y_, S_.reshaped();
  // Rounding errors of the derivatives may exceed the tolerance, near a singular pose for example. It is then raised.
  how.tolerance = std::max(wanted_.tolerance, tolerance::kStagnation);
  auto done = integrate::integrate(problem, how, t_, all, t, {});
  while (!done && how.tolerance < tolerance::kDefaultRun) {
    how.tolerance = std::min(kRaised * how.tolerance, tolerance::kDefaultRun);
    how.first_step = 0.0;
    done = integrate::integrate(problem, how, t_, all, t, {});
  }
  if (!done) return fail(unbounded(done.error()));
  next_step_ = done->next_step;
  y_ = all.head(ny());
  S_ = all.tail(S_.size()).reshaped(ny(), columns);
  return {};
}

Outcome<void> Sensitivities::record(Instant& instant) {
  const sim::Mode& mode = open_->mode;
  if (instant.y.size() == 0) {
    instant.y = y_;
    if (const auto done = open_->dynamics->project(mode, t_, instant.y.data()); !done) return fail(done.error());
  }
  Derivatives found{instant.t, S_, Matrix()};
  Vector y_dot(ny());
  if (auto done = open_->dynamics->derivative(mode, t_, instant.y.data(), y_dot.data()); !done) return done;
  const auto u_dot = y_dot.segment((*bound_)->nq(), (*bound_)->nu());
  if (auto done = project(t_, instant.y, found.S); !done) return done;
  if (!open_->equations->shown_at(t_, instant.y.data(), u_dot, found.S, by_p_, found.shown))
    found.shown = Matrix::Constant(family_.columns().count, columns_of_S(), std::nan(""));
  if (instant.asked) asked_[*instant.asked] = found;
  if (instant.is_sample) samples_.push_back(std::move(found));
  return {};
}

}  // namespace vinculum::sensitivity
