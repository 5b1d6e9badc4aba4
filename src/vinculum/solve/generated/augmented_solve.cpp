#include "vinculum/solve/generated/augmented_solve.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/numeric/finite.hpp"
#include "vinculum/numeric/rank.hpp"
#include "vinculum/numeric/semidefinite_mass.hpp"

namespace vinculum::solve {
namespace {

constexpr int kRefinements = 2;

int count(const std::vector<char>& flags, bool of) {
  return static_cast<int>(std::ranges::count_if(flags, [of](char flag) { return (flag != 0) == of; }));
}

}  // namespace

AugmentedSolve::AugmentedSolve(int nu, std::vector<char> is_directed, Vector effort_scale)
    : nu_(nu),
      nc_(static_cast<int>(is_directed.size())),
      ideal_count_(count(is_directed, false)),
      effort_count_(static_cast<int>(effort_scale.size())),
      is_directed_(std::move(is_directed)),
      effort_scale_(std::move(effort_scale)),
      certainty_(Vector::Ones(nc_)),
      doubt_(Vector::Zero(nc_)),
      s_(Vector::Ones(nu_)),
      d_(Vector::Ones(nc_)),
      c_(Vector::Ones(effort_count_)),
      W_(Vector::Zero(nc_)),
      H_(Matrix::Zero(nu_, nu_)),
      determined_(nu_),
      rank_of_rows_(nu_, nc_),
      K_(Matrix::Zero(equations(), unknowns())) {
  make_places(effort_count_ > nc_ - ideal_count_);
}

void AugmentedSolve::make_places(bool has_least_effort) {
  has_least_effort_ = has_least_effort;
  P_ = has_least_effort_ ? Matrix(Matrix::Zero(equations() + unknowns(), equations() + unknowns()))
                         : Matrix(Matrix::Zero(equations(), unknowns()));
  qr_ = numeric::PivotedQr(static_cast<int>(P_.cols()), static_cast<int>(P_.rows()));
  right_ = left_over_ = Vector::Zero(P_.rows());
  x_ = dx_ = Vector::Zero(P_.cols());
  y_ = Vector::Zero(std::max(P_.cols(), P_.rows()));
}

Outcome<void> AugmentedSolve::factor(ConstMatrix M, ConstMatrix metric, ConstMatrix A, ConstMatrix Gamma,
                                     double defect) {
  VINCULUM_EXPECTS(M.rows() == nu_ && metric.rows() == nu_ && A.rows() == nc_ && Gamma.rows() == effort_count_);
  if (!numeric::is_lower_triangle_finite(M) || !numeric::is_finite(A) || !numeric::is_finite(Gamma)) {
    Failure failure;
    failure.kind = FailureKind::kNonFinite;
    failure.message = "the equations of motion contain a value that is not finite";
    return fail(std::move(failure));
  }
  H_ = metric;
  numeric::semidefinite_weights(metric, A, W_);
  numeric::add_weighted_rows(A, W_, H_);
  if (const int pivot = determined_.factor(H_, numeric::Cholesky::rounding(nu_)); pivot >= 0) {
    return fail(numeric::undetermined_motion(metric, A, pivot));
  }
  for (int j = 0; j < nu_; ++j) s_[j] = 1.0 / std::sqrt(H_(j, j));

  fill(M, A, Gamma);

  const double doubt = tolerance::kDoubt * defect;
  consistency_ = tolerance::kConsistency + tolerance::kPerDefect * defect;
  const auto [has_least_effort, expected_rank] = expected(A, doubt);
  if (has_least_effort != has_least_effort_) make_places(has_least_effort);
  border();
  // If a singular value of the constraint rows tends to 0, a pivot of the whole matrix decreases as its square.
  const double threshold = std::max(2.0 * static_cast<double>(P_.rows()) * tolerance::kPerStep, doubt * doubt);
  for (Eigen::Index i = 0; i < P_.rows(); ++i) {
    for (Eigen::Index j = 0; j < P_.cols(); ++j) qr_.column(static_cast<int>(i))[j] = P_(i, j);
  }
  qr_.factor(threshold);
  if (qr_.rank() < expected_rank && ideal_count_ == nc_ && metric.data() != M.data()) {
    Failure failure;
    failure.kind = FailureKind::kSingularByMultipliers;
    failure.message = "the multipliers make the inertia along the constraints singular";
    return fail(std::move(failure));
  }
  if (ideal_count_ < nc_ && qr_.rank() < expected_rank) {
    Failure failure;
    failure.kind = FailureKind::kInconsistent;
    for (int i = 0; i < nc_; ++i) {
      if (is_directed_[static_cast<std::size_t>(i)] != 0) failure.rows.push_back(i);
    }
    failure.message = "constraints cannot be kept by their efforts here";
    return fail(std::move(failure));
  }
  return {};
}

void AugmentedSolve::fill(ConstMatrix M, ConstMatrix A, ConstMatrix Gamma) {
  K_.setZero();
  for (int j = 0; j < nu_; ++j) {
    for (int k = 0; k < nu_; ++k) K_(j, k) = s_[j] * s_[k] * M(std::max(j, k), std::min(j, k));
  }
  int column = nu_;
  for (int i = 0; i < nc_; ++i) {
    double square = 0.0;
    for (int j = 0; j < nu_; ++j) square += A(i, j) * s_[j] * A(i, j) * s_[j];
    d_[i] = square > 0.0 ? certainty_[i] / std::sqrt(square) : 1.0;
    for (int j = 0; j < nu_; ++j) {
      const double entry = d_[i] * A(i, j) * s_[j];
      K_(nu_ + i, j) = entry;
      rank_of_rows_.column(i)[j] = entry;
      if (is_directed_[static_cast<std::size_t>(i)] == 0) K_(j, column) = -entry;
    }
    if (is_directed_[static_cast<std::size_t>(i)] == 0) ++column;
  }
  for (int k = 0; k < effort_count_; ++k) {
    double square = 0.0;
    for (int j = 0; j < nu_; ++j) square += Gamma(k, j) * s_[j] * Gamma(k, j) * s_[j];
    c_[k] = square > 0.0 ? 1.0 / std::sqrt(square) : 1.0;
    for (int j = 0; j < nu_; ++j) K_(j, column + k) = -s_[j] * Gamma(k, j) * c_[k];
  }
}

AugmentedSolve::Expected AugmentedSolve::expected(ConstMatrix A, double doubt) {
  const double threshold_of_rows = std::max(numeric::rank_threshold(tolerance::kRank, nu_, nc_), doubt);
  rank_of_rows_.factor(threshold_of_rows);
  const int of_rows = rank_of_rows_.rank();
  const bool has_all_efforts = effort_count_ == nc_ - ideal_count_ && of_rows == nc_;
  if (effort_count_ == 0 || has_all_efforts) return {false, nu_ + of_rows};
  for (int i = 0; i < nc_; ++i) {
    const double keep = is_directed_[static_cast<std::size_t>(i)] != 0 ? 0.0 : d_[i];
    for (int j = 0; j < nu_; ++j) rank_of_rows_.column(i)[j] = keep * A(i, j) * s_[j];
  }
  rank_of_rows_.factor(threshold_of_rows);
  const int of_ideal = rank_of_rows_.rank();
  if (effort_count_ <= of_rows - of_ideal) return {false, nu_ + of_rows};
  return {true, nu_ + of_rows + unknowns() - (ideal_count_ - of_ideal)};
}

void AugmentedSolve::border() {
  if (!has_least_effort_) {
    P_ = K_;
    return;
  }
  const int n = unknowns(), m = equations();
  P_.setZero();
  double largest = 0.0;
  for (int k = 0; k < effort_count_; ++k) largest = std::max(largest, c_[k] / effort_scale_[k]);
  for (int k = 0; k < effort_count_; ++k) {
    const double weight = c_[k] / effort_scale_[k] / largest;
    P_(n - effort_count_ + k, n - effort_count_ + k) = weight * weight;
  }
  P_.block(0, n, n, m) = K_.transpose();
  P_.block(n, 0, m, n) = K_;
}

Failure AugmentedSolve::contradiction(int k, double missed) const {
  const std::vector<int>& permutation = qr_.permutation();
  const int first = has_least_effort_ ? unknowns() + nu_ : nu_;
  Vector share(qr_.rank());
  for (int row = 0; row < qr_.rank(); ++row) share[row] = qr_.R(row, k);
  qr_.solve_R(share.data());
  Vector of_rows = Vector::Zero(nc_);
  const auto note = [&](int position, double value) {
    const int row = permutation[static_cast<std::size_t>(position)] - first;
    if (row >= 0) of_rows[row] = std::abs(value);
  };
  note(k, 1.0);
  for (int row = 0; row < qr_.rank(); ++row) note(row, share[row]);
  Failure failure;
  failure.kind = FailureKind::kInconsistent;
  for (int i = 0; i < nc_; ++i) {
    if (of_rows[i] > tolerance::kNamed * of_rows.maxCoeff()) failure.rows.push_back(i);
  }
  std::ranges::stable_sort(failure.rows, [&](int a, int b) { return of_rows[a] > of_rows[b]; });
  failure.size = failure.rows.empty() ? std::abs(missed) : std::abs(missed) / d_[failure.rows.front()];
  failure.message = "constraints contradict each other";
  return failure;
}

Outcome<void> AugmentedSolve::solve(ConstVector r_f, ConstVector r_b, AugmentedSolution& solution) {
  if (!numeric::is_finite(r_f) || !numeric::is_finite(r_b)) {
    Failure failure;
    failure.kind = FailureKind::kNonFinite;
    failure.message = "the right-hand side contains a value that is not finite";
    return fail(std::move(failure));
  }
  const int first = has_least_effort_ ? unknowns() : 0;
  right_.setZero();
  for (int j = 0; j < nu_; ++j) right_[first + j] = s_[j] * r_f[j];
  for (int i = 0; i < nc_; ++i) right_[first + nu_ + i] = d_[i] * r_b[i];
  const std::vector<int>& permutation = qr_.permutation();
  const int rank = qr_.rank();
  x_.setZero();
  left_over_ = right_;
  for (int pass = 0; pass <= kRefinements; ++pass) {
    for (int k = 0; k < rank; ++k) y_[k] = left_over_[permutation[static_cast<std::size_t>(k)]];
    qr_.solve_R_transposed(y_.data());
    dx_.setZero();
    for (int k = 0; k < rank; ++k) dx_[k] = y_[k];
    qr_.multiply_Q(dx_.data());
    x_ += dx_;
    left_over_ = right_;
    left_over_.noalias() -= P_ * x_;
  }
  for (int k = rank; k < static_cast<int>(P_.rows()); ++k) {
    const int equation = permutation[static_cast<std::size_t>(k)];
    double size = std::abs(right_[equation]);
    for (Eigen::Index j = 0; j < P_.cols(); ++j) size += std::abs(P_(equation, j) * x_[j]);
    // For a row of zeros this sum is 0. So a small multiple of the largest acceleration is added.
    size += x_.cwiseAbs().maxCoeff() * numeric::rank_threshold(tolerance::kRank, nu_, nc_) / tolerance::kConsistency;
    double tolerated = consistency_ * size;
    // The uncertainties of all rows are added, because each may contribute to this residual.
    if (equation >= first + nu_) tolerated += d_.dot(doubt_);
    if (std::abs(left_over_[equation]) > tolerated) return fail(contradiction(k, left_over_[equation]));
  }
  solution.u.resize(nu_);
  solution.lambda.resize(nc_);
  solution.effort.resize(effort_count_);
  for (int j = 0; j < nu_; ++j) solution.u[j] = s_[j] * x_[j];
  int column = nu_;
  for (int i = 0; i < nc_; ++i) {
    const bool is_ideal = is_directed_[static_cast<std::size_t>(i)] == 0;
    solution.lambda[i] = is_ideal ? d_[i] * x_[column++] : 0.0;
  }
  for (int k = 0; k < effort_count_; ++k) solution.effort[k] = c_[k] * x_[column + k];
  return {};
}

}  // namespace vinculum::solve
