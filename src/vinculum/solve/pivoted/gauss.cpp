#include "vinculum/solve/pivoted/gauss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::solve {
namespace {

constexpr int kMostGaussSteps = 60;
constexpr int kMaxHalvings = 10;
constexpr double kFarStart = 10.0;
// Further solutions are sought around at most this many solutions: six rows with two solutions each have 64.
constexpr std::size_t kMostBranches = 64;

// Solves M a = f; directions without mass keep acceleration 0.
Outcome<Vector> free_acceleration(ConstMatrix M, ConstVector f) {
  const auto nu = static_cast<int>(M.rows());
  solve::ConstrainedSolve unconstrained(nu, 0);
  if (!unconstrained.factor(M, Matrix::Zero(0, nu))) return Vector(Vector::Zero(nu));
  solve::Solution solution;
  if (auto done = unconstrained.solve(f, Vector::Zero(0), solution); !done) return fail(std::move(done.error()));
  return solution.u;
}

/// Size of accelerations if the unconstrained acceleration is 0: |b_k| divided by the length of the first row with b_k
/// ≠ 0; 1 if all b_k are 0.
double size_by_rows(const Matrix& A, const Vector& b, const Vector& unit) {
  for (Eigen::Index k = 0; k < A.rows(); ++k) {
    const double length = A.row(k).cwiseProduct(unit.transpose()).norm();
    if (length > 0.0 && std::isfinite(b[k]) && b[k] != 0.0) return std::abs(b[k]) / length;
  }
  return 1.0;
}

}  // namespace

GaussSolve::GaussSolve(int nu, int nc) : nu_(nu), nc_(nc), linear_(nu, nc), lu_(nu + nc) {
  u_dot_ = free_ = start_ = best_u_dot_ = Vector::Zero(nu);
  lambda_ = best_lambda_ = b_ = weight_ = Vector::Zero(nc);
  step_ = residual_ = Vector::Zero(nu + nc);
  unit_ = Vector::Ones(nu);
  scale_ = Vector::Ones(nu + nc);
  A_ = Matrix::Zero(nc, nu);
  H_ = Matrix::Zero(nu, nu);
}

void GaussSolve::measure(ConstMatrix M) {
  for (int r = 0; r < nu_; ++r) unit_[r] = M(r, r) > 0.0 ? 1.0 / std::sqrt(M(r, r)) : 0.0;
  for (int r = 0; r < nu_; ++r) {
    if (unit_[r] > 0.0) continue;
    double share = 0.0;
    for (int k = 0; k < nc_; ++k) {
      double length = 0.0;
      for (int s = 0; s < nu_; ++s) length += M(s, s) > 0.0 ? std::abs(A_(k, s)) * unit_[s] : 0.0;
      if (length > 0.0) share = std::max(share, std::abs(A_(k, r)) / length);
    }
    unit_[r] = share > 0.0 ? 1.0 / share : 1.0;
  }
}

void GaussSolve::fill_system(ConstMatrix M) {
  MatrixRef K = lu_.matrix(nu_ + nc_);
  K.topLeftCorner(nu_, nu_) = M - H_;
  K.topRightCorner(nu_, nc_) = -A_.transpose();
  K.bottomLeftCorner(nc_, nu_) = A_;
  K.bottomRightCorner(nc_, nc_).setZero();
  scale_.head(nu_) = unit_;
  for (int k = 0; k < nc_; ++k) {
    const double length = A_.row(k).cwiseProduct(unit_.transpose()).norm();
    scale_[nu_ + k] = length > 0.0 ? 1.0 / length : 1.0;
  }
  for (int j = 0; j < nu_ + nc_; ++j) {
    for (int i = 0; i < nu_ + nc_; ++i) K(i, j) *= scale_[i] * scale_[j];
  }
  lu_.factor(tolerance::kRank);
}

int GaussSolve::sign_here(ConstMatrix M) {
  fill_system(M);
  return lu_.determinant_sign();
}

/// Whether the present solution is on the branch followed so far. Two branches that meet differ in the sign of the
/// determinant of Newton's system or, if the rows become dependent where they meet, in the orientation of the rows. If
/// rows depend on each other everywhere, the sign is 0 and nothing is compared.
bool GaussSolve::is_on_branch(ConstMatrix M) {
  if (branch_->sign == 0) return true;
  if (sign_here(M) != branch_->sign) return false;
  MatrixRef orientation = lu_.matrix(nc_);
  for (int j = 0; j < nc_; ++j) {
    for (int i = 0; i < nc_; ++i) {
      orientation(i, j) = 0.0;
      for (int r = 0; r < nu_; ++r) orientation(i, j) += from_->A(i, r) * A_(j, r) * unit_[r] * unit_[r];
      orientation(i, j) *= scale_[nu_ + i] * scale_[nu_ + j];
    }
  }
  lu_.factor(tolerance::kRank);
  return lu_.determinant_sign() > 0;
}

/// Newton's iteration from (u_dot_, lambda_). \returns true if it converged; A_ and b_ are then those of the solution.
bool GaussSolve::iterate(ConstMatrix M, ConstVector f, const Evaluate& evaluate) {
  const auto read = [&] {
    evaluate(u_dot_, lambda_, A_, b_, H_);
    if (!A_.allFinite() || !b_.allFinite() || !H_.allFinite()) return std::numeric_limits<double>::infinity();
    residual_.head(nu_).noalias() = f - M * u_dot_;
    residual_.head(nu_).noalias() += A_.transpose() * lambda_;
    residual_.tail(nc_) = b_;
    residual_.tail(nc_).noalias() -= A_ * u_dot_;
    double worst = 0.0;
    for (int i = 0; i < nu_; ++i) {
      if (M(i, i) > 0.0) worst = std::max(worst, std::abs(residual_[i]) * unit_[i] / branch_->size);
    }
    for (int k = 0; k < nc_; ++k) {
      const double missed = std::abs(residual_[nu_ + k]);
      if (missed > 0.0) worst = std::max(worst, missed / (weight_[k] > 0.0 ? weight_[k] : missed));
    }
    return worst;
  };
  weight_.setZero();
  double worst = read();
  for (int iteration = 0; iteration < kMostGaussSteps; ++iteration) {
    if (!std::isfinite(worst)) return false;
    for (int k = 0; k < nc_; ++k) weight_[k] = A_.row(k).cwiseProduct(unit_.transpose()).norm() * branch_->size;
    fill_system(M);
    step_ = residual_.cwiseProduct(scale_);
    const double most = tolerance::kHalfDigits * (branch_->size + step_.lpNorm<Eigen::Infinity>());
    const double missed = lu_.solve(step_);
    if (!step_.allFinite() || missed > most) return false;
    step_.array() *= scale_.array();
    const double moved = size_of(step_.head(nu_));
    const double size = branch_->size + size_of(u_dot_);
    double fraction = 1.0;
    u_dot_ += step_.head(nu_);
    lambda_ += step_.tail(nc_);
    double next = read();
    for (int halving = 0; !(next <= worst) && next > tolerance::kConditioned && halving < kMaxHalvings; ++halving) {
      fraction *= 0.5;
      u_dot_ -= fraction * step_.head(nu_);
      lambda_ -= fraction * step_.tail(nc_);
      next = read();
    }
    worst = next;
    if (moved <= tolerance::kZero * size && worst <= tolerance::kConditioned) return true;
  }
  return false;
}

double GaussSolve::gauss_function(ConstMatrix M) const { return (u_dot_ - free_).dot(M * (u_dot_ - free_)); }

/// True if M minus the curvature is positive semidefinite on the common kernel of the rows.
bool GaussSolve::is_minimum(ConstMatrix M) {
  if (!linear_.factor(M, A_)) return false;
  Z_ = linear_.null_space();  // Zᵀ M Z = 1
  if (Z_.cols() == 0) return true;
  const Matrix S = Z_.transpose() * (M - H_) * Z_;
  Matrix L = S + tolerance::kConditioned * Matrix::Identity(S.rows(), S.rows());
  for (Eigen::Index k = 0; k < L.rows(); ++k) {
    if (!(L(k, k) > 0.0)) return false;
    for (Eigen::Index i = k + 1; i < L.rows(); ++i) L.row(i) -= L(i, k) / L(k, k) * L.row(k);
  }
  return true;
}

Outcome<void> GaussSolve::search(ConstMatrix M, ConstVector f, const Evaluate& evaluate) {
  const auto not_unique = [](std::string message) {
    Failure failure;
    failure.kind = FailureKind::kNotUnique;
    failure.message = std::move(message);
    return fail(std::move(failure));
  };
  auto unconstrained = free_acceleration(M, f);
  if (!unconstrained) return fail(std::move(unconstrained.error()));
  free_ = std::move(*unconstrained);
  lambda_.setZero();
  evaluate(free_, lambda_, A_, b_, H_);
  if (!A_.allFinite()) A_.setZero();
  measure(M);
  branch_->size = size_of(free_);
  if (!(branch_->size > 0.0)) branch_->size = size_by_rows(A_, b_, unit_);

  double least = std::numeric_limits<double>::infinity();
  bool has_rival = false;
  std::vector<Vector> known;  // all solutions found; used if the model has a clause `branch`
  const auto try_from = [&](const Vector& start) {
    u_dot_ = start;
    lambda_.setZero();
    if (!iterate(M, f, evaluate) || !is_minimum(M)) return;
    const double size = branch_->size + size_of(u_dot_);
    if (accept_) {
      const auto is_one = [&](const Vector& other) { return size_of(u_dot_ - other) <= tolerance::kHalfDigits * size; };
      if (std::ranges::none_of(known, is_one)) known.push_back(u_dot_);
      if (!accept_(u_dot_)) return;
    }
    const double value = gauss_function(M);
    const bool is_same = std::isfinite(least) && size_of(u_dot_ - best_u_dot_) <= tolerance::kHalfDigits * size;
    const bool is_equal = std::isfinite(least) && std::abs(value - least) <= tolerance::kConditioned * (value + least);
    if (!is_same && is_equal) has_rival = true;
    if (is_same || is_equal || value > least) return;
    least = value;
    has_rival = false;
    best_u_dot_ = u_dot_;
    best_lambda_ = lambda_;
  };
  const auto try_around = [&](const Vector& center) {
    for (int i = 0; i < nu_; ++i) {
      for (const double distance :
           {branch_->size, -branch_->size, kFarStart * branch_->size, -kFarStart * branch_->size}) {
        start_ = center;
        start_[i] += distance * unit_[i];
        try_from(start_);
      }
    }
  };
  try_from(free_);
  try_from(-free_);
  try_around(free_);
  // The solution that the clause `branch` accepts may be far from `free_`, so starts around other solutions are tried.
  for (std::size_t k = 0; k < known.size() && k < kMostBranches; ++k) try_around(Vector(known[k]));
  if (!std::isfinite(least) && !known.empty())
    return not_unique(
        "accelerations satisfy the constraints here, but none of them meets the condition of the clause `branch`");
  if (!std::isfinite(least))
    return not_unique(
        "Newton's iteration finds no acceleration that satisfies the constraints here and is nearest to the free one");
  if (has_rival)
    return not_unique(
        "two accelerations satisfy the constraints and are equally near to the free one: a clause `branch` says which "
        "is meant");
  u_dot_ = best_u_dot_;
  lambda_ = best_lambda_;
  evaluate(u_dot_, lambda_, A_, b_, H_);
  return {};
}

Outcome<void> GaussSolve::solve(double t, ConstMatrix M, ConstVector f, const Evaluate& evaluate) {
  if (branch_->followed == 0) {
    if (auto done = search(M, f, evaluate); !done) return done;
    branch_->sign = sign_here(M);
    follow(t);
  } else {
    std::size_t last = branch_->followed - 1;
    while (last > 0 && branch_->answers[last].t > t) --last;
    from_ = &branch_->answers[last];
    u_dot_ = from_->u_dot;
    lambda_ = from_->lambda;
    A_ = from_->A;
    measure(M);
    const bool has_answer = iterate(M, f, evaluate);
    if (!has_answer || !is_on_branch(M)) {
      Failure failure;
      failure.kind = FailureKind::kNotUnique;
      failure.message =
          has_answer ? "the acceleration cannot be followed any further: two accelerations that satisfy the "
                       "constraints meet here"
                     : "the acceleration cannot be followed any further: Newton's iteration for it does not converge";
      return fail(std::move(failure));
    }
  }
  return {};
}

void GaussSolve::remember_in(Branch& branch) {
  if (branch.answers.size() != kFollowed) {
    branch.answers.assign(kFollowed, {0.0, Vector::Zero(nu_), Vector::Zero(nc_), Matrix::Zero(nc_, nu_)});
    branch.followed = 0;
  }
  branch_ = &branch;
  from_ = &branch.answers[branch.followed > 0 ? branch.followed - 1 : 0];
}

void GaussSolve::follow(double t) {
  while (branch_->followed > 0 && branch_->answers[branch_->followed - 1].t >= t) --branch_->followed;
  if (branch_->followed == kFollowed) {
    std::rotate(branch_->answers.begin(), branch_->answers.begin() + 1, branch_->answers.end());
    --branch_->followed;
  }
  Answer& answer = branch_->answers[branch_->followed++];
  answer.t = t;
  answer.u_dot = u_dot_;
  answer.lambda = lambda_;
  answer.A = A_;
  from_ = &answer;
}

}  // namespace vinculum::solve
