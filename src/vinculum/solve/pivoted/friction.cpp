#include "vinculum/solve/pivoted/friction.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/derivative.hpp"

namespace vinculum::solve {
namespace {

constexpr int kMostEnumerated = 6;
constexpr int kMostAnswers = 64;
constexpr int kMaxNewton = 40;
// Newton's iteration also starts at this multiple of the size of the multipliers, which is beyond all solutions.
constexpr double kFar = 1e4;
constexpr int kMaxContractions = 500;

}  // namespace

ReactionDependence reaction_dependence(const equations::System& system) {
  ReactionDependence dependence;
  std::vector<expr::Expr> symbols;
  for (int row = 0; row < system.nc(); ++row) {
    const expr::Expr symbol = system.lambda[static_cast<std::size_t>(row)];
    if (!std::ranges::any_of(system.C, [&](expr::Expr C) { return expr::depends_on(C, {&symbol, 1}); })) continue;
    dependence.rows.push_back(row);
    symbols.push_back(symbol);
  }
  dependence.of_slides.resize(system.slides.size());
  for (const expr::Entry& entry : expr::sparse_jacobian(system.C, system.slide_direction)) {
    const auto slide = std::ranges::find_if(
        system.slides, [&](const equations::Slide& one) { return entry.column < one.first + one.count; });
    std::vector<int>& of_slide = dependence.of_slides[static_cast<std::size_t>(slide - system.slides.begin())];
    for (int k = 0; k < static_cast<int>(symbols.size()); ++k) {
      const bool is_known = std::ranges::find(of_slide, k) != of_slide.end();
      if (!is_known && expr::depends_on(entry.value, {&symbols[static_cast<std::size_t>(k)], 1})) of_slide.push_back(k);
    }
  }
  dependence.is_separable = true;
  for (const expr::Entry& entry : expr::sparse_jacobian(system.C, symbols)) {
    for (std::size_t other = 0; other < symbols.size(); ++other) {
      if (static_cast<int>(other) != entry.column && expr::depends_on(entry.value, {&symbols[other], 1})) {
        dependence.is_separable = false;
      }
    }
  }
  return dependence;
}

FrictionSolve::FrictionSolve(int nu, int nc, ReactionDependence dependence, int more)
    : dependence_(std::move(dependence)), lu_(static_cast<int>(dependence_.rows.size())) {
  const int k = count();
  zero_ = Vector::Zero(nc + more);
  lambda_ = lambda_ideal_ = lambda_at_ = responded_ = Vector::Zero(nc);
  C_ = C_plus_ = C_minus_ = Vector::Zero(nu);
  C_lambda_ = slope_plus_ = slope_minus_ = Matrix::Zero(nu, k);
  response_plus_ = response_minus_ = Matrix::Zero(k, k);
  per_force_ = Matrix::Zero(k, nu);
  unit_ = Vector::Zero(nu);
  answers_ = Matrix::Zero(k, kMostAnswers);
  constant_ = x_ = step_ = start_ = ideal_ = weight_ = Vector::Zero(k);
}

Failure FrictionSolve::failure(FailureKind kind) const {
  Failure failure;
  failure.kind = kind;
  failure.rows = dependence_.rows;
  return failure;
}

void FrictionSolve::place(const Vector& x, Vector& lambda) const {
  for (int i = 0; i < count(); ++i) lambda[dependence_.rows[static_cast<std::size_t>(i)]] = x[i];
}

Outcome<void> FrictionSolve::response(const Respond& respond, ConstVector force, VectorRef of_rows) {
  if (auto done = respond(force, zero_, responded_); !done) return done;
  for (int i = 0; i < count(); ++i) of_rows[i] = responded_[dependence_.rows[static_cast<std::size_t>(i)]];
  return {};
}

void FrictionSolve::add_answer(const Vector& x) {
  const double size = std::max(size_, x.lpNorm<Eigen::Infinity>());
  for (int i = 0; i < kept_; ++i) {
    if ((x - answers_.col(i)).lpNorm<Eigen::Infinity>() <= tolerance::kHalfDigits * size) return;
  }
  if (kept_ < kMostAnswers) answers_.col(kept_++) = x;
  ++found_;
}

void FrictionSolve::take(int i, const Evaluate& evaluate) {
  lambda_ = lambda_ideal_;
  memory_->last = answers_.col(i);
  place(memory_->last, lambda_);
  evaluate(lambda_, lambda_ideal_, C_, C_lambda_);
}

/// Evaluates ∂C/∂λ for λ_k > 0 and for λ_k < 0. \returns true if C is linear in each λ_k apart from the kink at 0.
Outcome<bool> FrictionSolve::read_branches(const Respond& respond, const Evaluate& evaluate) {
  const auto at = [&](double value, Vector& C, Matrix& slope) {
    x_.setConstant(value);
    lambda_at_ = lambda_ideal_;
    place(x_, lambda_at_);
    evaluate(lambda_at_, lambda_ideal_, C, slope);
    return C.allFinite() && slope.allFinite();
  };
  if (!at(2.0 * size_, C_, C_lambda_) || !at(size_, C_plus_, slope_plus_))
    return fail(failure(FailureKind::kNonFinite));
  if (!dependence_.is_separable) return false;
  double change = (C_lambda_ - slope_plus_).lpNorm<Eigen::Infinity>();
  double steepest = slope_plus_.lpNorm<Eigen::Infinity>();
  if (!at(-2.0 * size_, C_, C_lambda_) || !at(-size_, C_minus_, slope_minus_))
    return fail(failure(FailureKind::kNonFinite));
  change = std::max(change, (C_lambda_ - slope_minus_).lpNorm<Eigen::Infinity>());
  steepest = std::max(steepest, slope_minus_.lpNorm<Eigen::Infinity>());
  // Extrapolated to λ = 0, C must be the same from λ > 0 and from λ < 0.
  for (int i = 0; i < count(); ++i) {
    C_plus_ -= size_ * slope_plus_.col(i);
    C_minus_ += size_ * slope_minus_.col(i);
  }
  const double jump = (C_plus_ - C_minus_).lpNorm<Eigen::Infinity>();
  if (change > tolerance::kConditioned * steepest ||
      jump > tolerance::kConditioned * (steepest * size_ + C_plus_.lpNorm<Eigen::Infinity>()))
    return false;
  for (int i = 0; i < count(); ++i) {
    if (auto done = response(respond, slope_plus_.col(i), response_plus_.col(i)); !done) return fail(done.error());
    if (auto done = response(respond, slope_minus_.col(i), response_minus_.col(i)); !done) return fail(done.error());
  }
  if (auto done = response(respond, C_plus_, constant_); !done) return fail(done.error());
  constant_ += ideal_;
  return true;
}

/// Solves the linear system for one choice of signs, and stores the solution if it has these signs.
/// \param signs  bit i is set for λ_i ≥ 0
void FrictionSolve::try_branch(unsigned signs) {
  const int k = count();
  MatrixRef J = lu_.matrix(k);
  for (int i = 0; i < k; ++i) {
    J.col(i) = -((signs >> i) & 1U ? response_plus_ : response_minus_).col(i);
    J(i, i) += 1.0;
  }
  lu_.factor(tolerance::kRank);
  step_ = constant_;
  const double missed = lu_.solve(step_);
  if (!lu_.is_regular() && missed > tolerance::kZero * size_) return;
  const double size = std::max(size_, step_.lpNorm<Eigen::Infinity>());
  for (int i = 0; i < k; ++i) {
    if (((signs >> i) & 1U ? step_[i] : -step_[i]) < -tolerance::kZero * size) return;
  }
  add_answer(step_);
  if (!lu_.is_regular()) ++found_;  // a singular system also has solutions along its kernel
}

/// True if the map λ → Λ(f, b) + Λ C(λ) is a contraction in some weighted maximum norm; it then has exactly one fixed
/// point.
bool FrictionSolve::is_contraction() {
  const int k = count();
  MatrixRef J = lu_.matrix(k);
  J = -response_plus_.cwiseAbs().cwiseMax(response_minus_.cwiseAbs());
  for (int i = 0; i < k; ++i) J(i, i) += 1.0;
  lu_.factor(tolerance::kRank);
  weight_.setOnes();
  return lu_.solve(weight_) == 0.0 && lu_.is_regular() && weight_.minCoeff() > 0.0;  // 1 − R̄ is an M-matrix
}

Outcome<void> FrictionSolve::iterate_signs() {
  if (!is_contraction()) return fail(failure(FailureKind::kFrictionManySolutions));
  x_ = memory_->has_last ? memory_->last : ideal_;
  for (int iteration = 0; iteration < kMaxContractions; ++iteration) {
    step_ = constant_;
    for (int i = 0; i < count(); ++i) step_ += (x_[i] >= 0.0 ? response_plus_ : response_minus_).col(i) * x_[i];
    const double change = (step_ - x_).lpNorm<Eigen::Infinity>();
    x_ = step_;
    if (change > tolerance::kConverged * size_) continue;
    add_answer(x_);
    return {};
  }
  return fail(failure(FailureKind::kFrictionManySolutions));
}

/// Computes the multipliers per unit of each generalized force, because Newton's iterations from many starts need the
/// multipliers for many forces.
Outcome<void> FrictionSolve::read_responses(const Respond& respond) {
  for (Eigen::Index j = 0; j < unit_.size(); ++j) {
    unit_.setUnit(unit_.size(), j);
    if (auto done = response(respond, unit_, per_force_.col(j)); !done) return done;
  }
  return {};
}

void FrictionSolve::iterate_from(const Evaluate& evaluate, const Vector& start) {
  const int k = count();
  x_ = start;
  for (int iteration = 0; iteration < kMaxNewton; ++iteration) {
    lambda_at_ = lambda_ideal_;
    place(x_, lambda_at_);
    evaluate(lambda_at_, lambda_ideal_, C_, C_lambda_);
    if (!C_.allFinite() || !C_lambda_.allFinite()) return;  // the iteration has met a kink; other starts avoid it
    step_.noalias() = per_force_ * C_;
    step_ += ideal_ - x_;
    const double missed = step_.lpNorm<Eigen::Infinity>();
    const double size = std::max(size_, x_.lpNorm<Eigen::Infinity>());
    MatrixRef J = lu_.matrix(k);
    J.noalias() = -per_force_ * C_lambda_;
    for (int i = 0; i < k; ++i) J(i, i) += 1.0;
    lu_.factor(tolerance::kRank);
    if (lu_.solve(step_) != 0.0) return;
    x_ += step_;
    if (!x_.allFinite()) return;
    if (missed <= tolerance::kConsistency * size && step_.lpNorm<Eigen::Infinity>() <= tolerance::kConverged * size) {
      add_answer(x_);
      return;
    }
  }
}

/// Runs Newton's iteration from `start_`, and from a point far away in the direction of the response to the force C at
/// `start_`. If C = d n(λ) with a convex n, λ = λ_ideal + p n gives a convex equation for n ≥ 0. Newton's iteration
/// finds its least root from 0 and its greatest root from far away.
void FrictionSolve::iterate_from_both_ends(const Evaluate& evaluate) {
  iterate_from(evaluate, start_);
  lambda_at_ = lambda_ideal_;
  place(start_, lambda_at_);
  evaluate(lambda_at_, lambda_ideal_, C_, C_lambda_);
  if (!C_.allFinite()) return;
  step_.noalias() = per_force_ * C_;
  const double length = step_.lpNorm<Eigen::Infinity>();
  if (!(length > 0.0)) return;
  start_ = ideal_ + (kFar * size_ / length) * step_;
  iterate_from(evaluate, start_);
}

Outcome<void> FrictionSolve::solve(const Respond& respond, const Evaluate& evaluate, ConstVector f, ConstVector b) {
  if (auto done = respond(f, b, lambda_ideal_); !done) return done;
  const int k = count();
  found_ = kept_ = 0;
  lambda_ = lambda_ideal_;
  for (int i = 0; i < k; ++i) ideal_[i] = lambda_ideal_[dependence_.rows[static_cast<std::size_t>(i)]];
  size_ = k > 0 ? ideal_.lpNorm<Eigen::Infinity>() : 0.0;
  if (!(size_ > 0.0)) size_ = 1.0;
  if (k > 0) {
    const auto is_piecewise_linear = read_branches(respond, evaluate);
    if (!is_piecewise_linear) return fail(is_piecewise_linear.error());
    const unsigned choices = 1U << std::min(k, kMostEnumerated);
    if (*is_piecewise_linear && k <= kMostEnumerated) {
      for (unsigned signs = 0; signs < choices; ++signs) try_branch(signs);
    } else if (*is_piecewise_linear) {
      if (auto done = iterate_signs(); !done) return done;
    } else {
      if (auto done = read_responses(respond); !done) return done;
      if (memory_->has_last) iterate_from(evaluate, memory_->last);
      start_ = ideal_;
      iterate_from_both_ends(evaluate);
      for (unsigned signs = 0; signs < choices; ++signs) {
        for (int i = 0; i < k; ++i) start_[i] = (signs >> std::min(i, kMostEnumerated - 1)) & 1U ? size_ : -size_;
        iterate_from_both_ends(evaluate);
      }
    }
    if (found_ != 1) {
      return fail(failure(found_ == 0 ? FailureKind::kFrictionNoSolution : FailureKind::kFrictionManySolutions));
    }
    memory_->last = answers_.col(0);
    memory_->has_last = true;
    place(memory_->last, lambda_);
  }
  evaluate(lambda_, lambda_ideal_, C_, C_lambda_);
  if (!C_.allFinite()) return fail(failure(FailureKind::kNonFinite));
  return {};
}

}  // namespace vinculum::solve
