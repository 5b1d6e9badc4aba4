#include "vinculum/solve/generated/reduced_solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/numeric/finite.hpp"
#include "vinculum/numeric/rank.hpp"
#include "vinculum/numeric/semidefinite_mass.hpp"

namespace vinculum::solve {
namespace {

constexpr double kWorst = std::numeric_limits<double>::infinity();

}  // namespace

bool SmallLu::factor(int n) {
  n_ = n;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::abs(lu_(i, k)) > std::abs(lu_(pivot, k))) pivot = i;
    }
    pivots_[static_cast<std::size_t>(k)] = pivot;
    if (!(std::abs(lu_(pivot, k)) > 0.0) || !std::isfinite(lu_(pivot, k))) return false;
    if (pivot != k) {
      for (int j = 0; j < n; ++j) std::swap(lu_(k, j), lu_(pivot, j));
    }
    for (int i = k + 1; i < n; ++i) {
      const double factor = lu_(i, k) /= lu_(k, k);
      for (int j = k + 1; j < n; ++j) lu_(i, j) -= factor * lu_(k, j);
    }
  }
  return true;
}

void SmallLu::solve(double* x) const {
  for (int k = 0; k < n_; ++k) std::swap(x[k], x[pivots_[static_cast<std::size_t>(k)]]);
  for (int k = 0; k < n_; ++k) {
    for (int i = k + 1; i < n_; ++i) x[i] -= lu_(i, k) * x[k];
  }
  for (int k = n_ - 1; k >= 0; --k) {
    x[k] /= lu_(k, k);
    for (int i = 0; i < k; ++i) x[i] -= lu_(i, k) * x[k];
  }
}

int SmallLu::determinant_sign() const {
  int sign = 1;
  for (int k = 0; k < n_; ++k) {
    if (pivots_[static_cast<std::size_t>(k)] != k) sign = -sign;
    if (lu_(k, k) < 0.0) sign = -sign;
  }
  return sign;
}

ReducedSolve::ReducedSolve(int nu, int nc)
    : nu_(nu),
      nc_(nc),
      weight_(Vector::Ones(nu)),
      W_(Vector::Zero(nc)),
      certainty_(Vector::Ones(nc)),
      doubt_(Vector::Zero(nc)),
      row_scale_(Vector::Ones(nc)),
      rows_(nu, nc),
      columns_(nc, nu),
      lu_(std::min(nu, nc)),
      V_(Matrix::Zero(nu, nu)),
      MV_(Matrix::Zero(nu, nu)),
      reduced_(Matrix::Zero(nu, nu)),
      c_(Vector::Zero(nu)),
      column_(Vector::Zero(std::max(nu, nc))),
      force_(Vector::Zero(nu)) {}

void ReducedSolve::weigh(ConstMatrix M, ConstMatrix A) {
  numeric::semidefinite_weights(M, A, W_);
  for (int j = 0; j < nu_; ++j) {
    double inertia = M(j, j);
    for (int i = 0; i < nc_; ++i) inertia += W_[i] * A(i, j) * A(i, j);
    weight_[j] = inertia > 0.0 ? 1.0 / std::sqrt(inertia) : 1.0;
  }
  for (int i = 0; i < nc_; ++i) {
    double square = 0.0;
    for (int j = 0; j < nu_; ++j) square += A(i, j) * weight_[j] * A(i, j) * weight_[j];
    row_scale_[i] = square > 0.0 ? certainty_[i] / std::sqrt(square) : 1.0;
  }
}

int ReducedSolve::rank_here(ConstMatrix M, ConstMatrix A, double defect) {
  weigh(M, A);
  for (int i = 0; i < nc_; ++i) {
    for (int j = 0; j < nu_; ++j) rows_.column(i)[j] = row_scale_[i] * A(i, j) * weight_[j];
  }
  rows_.factor(std::max(numeric::rank_threshold(tolerance::kRank, nu_, nc_), tolerance::kDoubt * defect));
  return rows_.rank();
}

void ReducedSolve::find_best(ConstMatrix M, ConstMatrix A, double defect) {
  const int rank = rank_here(M, A, defect);
  IndependentSpeeds& best = candidate_;
  if (rank == 0) {
    best.rows.clear();
    best.dependent.clear();
    best.independent.resize(static_cast<std::size_t>(nu_));
    for (int j = 0; j < nu_; ++j) best.independent[static_cast<std::size_t>(j)] = j;
    return;
  }
  best.rows.assign(rows_.permutation().begin(), rows_.permutation().begin() + rank);
  for (int j = 0; j < nu_; ++j) {
    auto column = columns_.column(j);
    for (int i = 0; i < nc_; ++i) {
      const int row = i < rank ? best.rows[static_cast<std::size_t>(i)] : -1;
      column[i] = row < 0 ? 0.0 : row_scale_[row] * A(row, j) * weight_[j];
    }
  }
  for (const int kept : kept_) columns_.column(kept).setZero();
  columns_.factor(tolerance::kRounding);
  const std::vector<int>& order = columns_.permutation();
  best.dependent.assign(order.begin(), order.begin() + rank);
  best.independent.assign(order.begin() + rank, order.end());
  std::ranges::sort(best.independent);
}

/// Computes the first nu − rank columns of V: unit independent speeds and the corresponding dependent speeds.
bool ReducedSolve::find_partials(ConstMatrix A, const IndependentSpeeds& choice) {
  const auto rank = static_cast<int>(choice.rows.size());
  for (int i = 0; i < rank; ++i) {
    const int row = choice.rows[static_cast<std::size_t>(i)];
    for (int j = 0; j < rank; ++j)
      lu_.at(i, j) = row_scale_[row] * A(row, choice.dependent[static_cast<std::size_t>(j)]);
  }
  if (!lu_.factor(rank)) return false;
  for (int k = 0; k < nu_ - rank; ++k) {
    const int speed = choice.independent[static_cast<std::size_t>(k)];
    V_.col(k).setZero();
    V_(speed, k) = 1.0;
    for (int i = 0; i < rank; ++i) {
      const int row = choice.rows[static_cast<std::size_t>(i)];
      column_[i] = -row_scale_[row] * A(row, speed);
    }
    lu_.solve(column_.data());
    for (int i = 0; i < rank; ++i) V_(choice.dependent[static_cast<std::size_t>(i)], k) = column_[i];
  }
  return true;
}

double ReducedSolve::growth_of(const IndependentSpeeds& choice) const {
  double largest = 1.0;
  for (std::size_t k = 0; k < choice.independent.size(); ++k) {
    const double unit = weight_[choice.independent[k]];
    for (const int speed : choice.dependent) {
      const double ratio = std::abs(V_(speed, static_cast<Eigen::Index>(k))) * unit / weight_[speed];
      largest = ratio <= largest ? largest : std::isfinite(ratio) ? ratio : kWorst;
    }
  }
  return largest;
}

void ReducedSolve::remember_in(std::optional<IndependentSpeeds>& choice) {
  choice_ = &choice;
  make_room();
}

void ReducedSolve::make_room() {
  if (!has_choice()) return;
  const auto free = static_cast<int>(choice().independent.size());
  if (!mass_ || mass_->L().rows() != free) mass_.emplace(free);
}

void ReducedSolve::choose(ConstMatrix M, ConstMatrix A, double defect) {
  find_best(M, A, defect);
  IndependentSpeeds& chosen = choice_->emplace(candidate_);
  make_room();
  chosen.growth = find_partials(A, chosen) ? growth_of(chosen) : kWorst;
  chosen.orientation = lu_.determinant_sign();
  is_regular_ =
      choice().growth * tolerance::kHalfDigits < 1.0 &&
      std::ranges::none_of(choice().dependent, [&](int j) { return std::ranges::find(kept_, j) != kept_.end(); });
}

double ReducedSolve::growth(ConstMatrix M, ConstMatrix A) {
  weigh(M, A);
  const double now = find_partials(A, choice()) ? growth_of(choice()) : kWorst;
  is_regular_ = now * tolerance::kHalfDigits < 1.0 && lu_.determinant_sign() == choice().orientation;
  return now;
}

double ReducedSolve::best_growth(ConstMatrix M, ConstMatrix A, double defect) {
  find_best(M, A, defect);
  return find_partials(A, candidate_) ? growth_of(candidate_) : kWorst;
}

bool ReducedSolve::correct(ConstMatrix A, ConstVector psi, VectorRef u) {
  const auto rank = static_cast<int>(choice().rows.size());
  for (int i = 0; i < rank; ++i) {
    const int row = choice().rows[static_cast<std::size_t>(i)];
    double longest = 0.0;
    for (int j = 0; j < rank; ++j)
      longest = std::max(longest, std::abs(A(row, choice().dependent[static_cast<std::size_t>(j)])));
    const double scale = longest > 0.0 ? 1.0 / longest : 1.0;
    for (int j = 0; j < rank; ++j) lu_.at(i, j) = scale * A(row, choice().dependent[static_cast<std::size_t>(j)]);
    column_[i] = -scale * psi[row];
  }
  if (!lu_.factor(rank)) return false;
  lu_.solve(column_.data());
  for (int i = 0; i < rank; ++i) u[choice().dependent[static_cast<std::size_t>(i)]] += column_[i];
  return true;
}

Outcome<void> ReducedSolve::solve(ConstMatrix M, ConstMatrix A, ConstVector f, ConstVector b, double tolerance,
                                  VectorRef u_dot) {
  VINCULUM_EXPECTS(has_choice());
  const auto rank = static_cast<int>(choice().rows.size());
  weigh(M, A);
  Failure failure;
  failure.kind = FailureKind::kInconsistent;
  if (!find_partials(A, choice())) {
    failure.rows = choice().rows;
    failure.message = "the dependent speeds do not follow from the constraints here";
    return fail(std::move(failure));
  }
  c_.setZero();
  for (int i = 0; i < rank; ++i) {
    const int row = choice().rows[static_cast<std::size_t>(i)];
    column_[i] = row_scale_[row] * b[row];
  }
  lu_.solve(column_.data());
  for (int i = 0; i < rank; ++i) c_[choice().dependent[static_cast<std::size_t>(i)]] = column_[i];

  if (auto done = solve_free(M, A, f, u_dot); !done) return done;
  if (!numeric::is_finite(u_dot)) {
    failure.kind = FailureKind::kNonFinite;
    failure.message = "the accelerations are not finite";
    return fail(std::move(failure));
  }
  if (auto missed = missed_row(A, f, b, tolerance, u_dot)) return fail(std::move(*missed));
  return {};
}

Outcome<void> ReducedSolve::solve_free(ConstMatrix M, ConstMatrix A, ConstVector f, VectorRef u_dot) {
  const int free = nu_ - static_cast<int>(choice().rows.size());
  const auto V = V_.leftCols(free);
  const auto entry = [&M](int i, int j) { return i >= j ? M(i, j) : M(j, i); };
  for (int i = 0; i < nu_; ++i) {
    force_[i] = f[i];
    for (int j = 0; j < nu_; ++j) force_[i] -= entry(i, j) * c_[j];
    for (int k = 0; k < free; ++k) {
      double sum = 0.0;
      for (int j = 0; j < nu_; ++j) sum += entry(i, j) * V(j, k);
      MV_(i, k) = sum;
    }
  }
  for (int k = 0; k < free; ++k) {
    for (int l = 0; l <= k; ++l) reduced_(k, l) = V.col(k).dot(MV_.col(l));
    column_[k] = V.col(k).dot(force_);
  }
  if (const int pivot = mass_->factor(reduced_.topLeftCorner(free, free), numeric::Cholesky::rounding(free));
      pivot >= 0) {
    return fail(numeric::undetermined_motion(M, A, choice().independent[static_cast<std::size_t>(pivot)]));
  }
  mass_->solve_lower(column_.data());
  mass_->solve_lower_transposed(column_.data());
  u_dot = c_;
  for (int k = 0; k < free; ++k) u_dot += column_[k] * V.col(k);
  return {};
}

std::optional<Failure> ReducedSolve::missed_row(ConstMatrix A, ConstVector f, ConstVector b, double tolerance,
                                                ConstVector u_dot) const {
  const auto rank = static_cast<int>(choice().rows.size());
  Failure failure;
  failure.kind = FailureKind::kInconsistent;
  double worst = 0.0;
  // If a structure is at rest, its accelerations are rounding errors. Then the size of the accelerations that the
  // forces would cause without constraints is used.
  const double reach = std::max(u_dot.cwiseQuotient(weight_).norm(), f.cwiseProduct(weight_).norm());
  for (int i = 0; i < nc_ && rank < nc_; ++i) {
    double missed = -b[i], size = std::abs(b[i]), length = 0.0;
    for (int j = 0; j < nu_; ++j) {
      const double part = A(i, j) * u_dot[j];
      missed += part;
      size += std::abs(part);
      length = std::max(length, std::abs(A(i, j)) * weight_[j]);
    }
    // The right-hand side of a row of zeros may be a rounding error of other right-hand sides.
    if (length == 0.0) size = reach;
    // Accelerations may be sums of larger terms that cancel. A residual as large as the rounding errors of these terms
    // is accepted.
    size += numeric::rank_threshold(tolerance::kRank, nu_, nc_) / tolerance * length / certainty_[i] * reach;
    const double doubt = row_scale_.dot(doubt_) / row_scale_[i];  // uncertainty of all rows, in the unit of this row
    const double relative =
        std::max(0.0, std::abs(missed) - doubt) / std::max(size, std::numeric_limits<double>::min());
    if (relative <= std::max(worst, tolerance)) continue;
    worst = relative;
    failure.rows = {i};
    failure.size = std::abs(missed);
  }
  if (!(worst > 0.0)) return std::nullopt;
  failure.message = "constraints contradict each other";
  return failure;
}

}  // namespace vinculum::solve
