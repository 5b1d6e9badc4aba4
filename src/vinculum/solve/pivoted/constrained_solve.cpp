#include "vinculum/solve/pivoted/constrained_solve.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/numeric/finite.hpp"
#include "vinculum/numeric/null_space.hpp"
#include "vinculum/numeric/rank.hpp"
#include "vinculum/numeric/semidefinite_mass.hpp"
#include "vinculum/numeric/wide.hpp"

namespace vinculum::solve {
namespace {

constexpr int kCorrections = 2;

Failure non_finite(const char* what, std::vector<int> rows, std::vector<int> coordinates) {
  Failure failure;
  failure.kind = FailureKind::kNonFinite;
  failure.message = fmt::format("{} contains a value that is not finite", what);
  failure.rows = std::move(rows);
  failure.coordinates = std::move(coordinates);
  return failure;
}

double dot(const double* x, const double* y, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

bool are_same_bits(const double* x, const double* y, Eigen::Index count) {
  return std::memcmp(x, y, static_cast<std::size_t>(count) * sizeof(double)) == 0;
}

/// sums ← sums + factor × column. If all columns are added one after the other, each sum is formed in the order of the
/// columns, so its bits do not depend on the width of vector instructions.
VINCULUM_WIDE void add_column(const double* __restrict column, double factor, int rows, double* __restrict sums) {
  for (int i = 0; i < rows; ++i) sums[i] += column[i] * factor;
}

VINCULUM_WIDE void add_squares(const double* __restrict column, int rows, double* __restrict sums) {
  for (int i = 0; i < rows; ++i) sums[i] += column[i] * column[i];
}

VINCULUM_WIDE void add_sizes(const double* __restrict column, double factor, int rows, double* __restrict sizes) {
  for (int i = 0; i < rows; ++i) sizes[i] += std::abs(column[i] * factor);
}

VINCULUM_WIDE void multiply(const double* __restrict factors, int count, double* __restrict x) {
  for (int i = 0; i < count; ++i) x[i] *= factors[i];
}

}  // namespace

ConstrainedSolve::ConstrainedSolve(int nu, int nc, SolveTolerances tolerances)
    : nu_(nu),
      nc_(nc),
      tolerances_(tolerances),
      in_force_(tolerances),
      unique_(static_cast<std::size_t>(nc), 1),
      row_lengths_(Vector::Zero(nc)),
      mass_(nu),
      rows_(nu, nc),
      M_(Matrix::Zero(nu, nu)),
      A_(Matrix::Zero(nc, nu)),
      factored_certainty_(Vector::Zero(nc)),
      H_(Matrix::Zero(nu, nu)),
      N_(Matrix::Zero(nc, nc)),
      combinations_(Vector::Zero(nc * (nc + numeric::PivotedQr::kLanes))),
      N_equal_(Matrix::Zero(nc, nc)),
      certainty_(Vector::Ones(nc)),
      doubt_(Vector::Zero(nc)),
      scales_(Vector::Ones(nc)),
      W_(Vector::Zero(nc)),
      a_(Vector::Zero(nu)),
      x_(Vector::Zero(nu)),
      force_(Vector::Zero(nu)),
      c_(Vector::Zero(nc)),
      y_(Vector::Zero(nc)),
      multiplier_(Vector::Zero(nc)),
      missed_(Vector::Zero(nc)),
      size_(Vector::Zero(nc)) {
  VINCULUM_EXPECTS(nu >= 0 && nc >= 0);
  VINCULUM_EXPECTS(tolerances.rank > 0.0 && tolerances.consistency > 0.0);
}

int ConstrainedSolve::factor_mass(ConstMatrix M, ConstMatrix A) {
  is_mass_singular_ = false;
  if (mass_.factor(M, nc_ > 0 ? tolerance::kWeakMass : numeric::Cholesky::rounding(nu_)) < 0) return -1;
  is_mass_singular_ = true;
  H_ = M;
  numeric::semidefinite_weights(M, A, W_);
  numeric::add_weighted_rows(A, W_, H_);
  return mass_.factor(H_, numeric::Cholesky::rounding(nu_));
}

void ConstrainedSolve::set_compliance(ConstVector compliance) {
  VINCULUM_EXPECTS(compliance.size() == 0 || compliance.size() == nc_);
  if (compliance_.size() == compliance.size() &&
      are_same_bits(compliance.data(), compliance_.data(), compliance.size()))
    return;
  compliance_ = compliance;
  rank_of_null_space_ = -1;
}

bool ConstrainedSolve::has_factor_of(ConstMatrix M, ConstMatrix A, ConstVector certainty) const {
  if (!is_factored_ || M.rows() != nu_ || A.rows() != nc_) return false;
  if (!are_same_bits(certainty.data(), factored_certainty_.data(), nc_)) return false;
  for (int j = 0; j < nu_; ++j) {
    if (!are_same_bits(A.data() + j * A.outerStride(), A_.data() + j * A_.outerStride(), nc_)) return false;
    if (!are_same_bits(M.data() + j * M.outerStride() + j, M_.data() + j * M_.outerStride() + j, nu_ - j)) return false;
  }
  return true;
}

Outcome<void> ConstrainedSolve::factor(ConstMatrix M, ConstMatrix A, double doubt, const SolveTolerances& coarser) {
  VINCULUM_EXPECTS(M.rows() == nu_ && M.cols() == nu_);
  VINCULUM_EXPECTS(A.rows() == nc_ && A.cols() == nu_);
  VINCULUM_EXPECTS(coarser.rank >= tolerances_.rank);
  if (!has_factor_of(M, A, certainty_)) {
    if (auto done = factor_afresh(M, A); !done) return done;
  }
  in_force_ = tolerances_;
  rows_.decide_rank(numeric::rank_threshold(in_force_.rank, nu_, nc_));
  if (nc_ > 1 && (rows_.rank() < nc_ || rows_.conditioning() < doubt)) {
    in_force_ = coarser;
    rows_.decide_rank(numeric::rank_threshold(in_force_.rank, nu_, nc_));
  }
  rank_ = rows_.rank();
  conditioning_ = rows_.conditioning();
  if (rank_of_null_space_ != rank_) find_left_null_space();
  is_factored_ = true;
  return {};
}

Outcome<void> ConstrainedSolve::factor_afresh(ConstMatrix M, ConstMatrix A) {
  is_factored_ = false;
  rank_ = 0;
  rank_of_null_space_ = -1;
  // This check comes before any decision on rank. All comparisons with NaN are false, so a row with a NaN would count
  // as a row without effect.
  if (!numeric::is_lower_triangle_finite(M))
    return fail(non_finite("the mass matrix", {}, numeric::non_finite_rows(M)));
  if (!numeric::is_finite(A)) return fail(non_finite("the constraint Jacobian", numeric::non_finite_rows(A), {}));

  M_ = M;
  A_ = A;
  factored_certainty_ = certainty_;
  if (const int pivot = factor_mass(M, A); pivot >= 0) return fail(numeric::undetermined_motion(M, A, pivot));

  for (int j = 0; j < nu_; ++j) std::copy_n(A_.col(j).data(), nc_, rows_.row(j));
  mass_.solve_lower_rows(rows_.row(0), rows_.stride(), nc_);
  row_lengths_.setZero();
  for (int j = 0; j < nu_; ++j) add_squares(rows_.row(j), nc_, row_lengths_.data());
  row_lengths_ = row_lengths_.cwiseSqrt();
  longest_row_ = nc_ > 0 ? row_lengths_.maxCoeff() : 0.0;
  numeric::equilibrate_rows(row_lengths_, scales_);
  scales_ = scales_.cwiseProduct(certainty_);
  c_ = scales_;
  for (int i = 0; i < nc_; ++i) {
    if (row_lengths_[i] == 0.0) c_[i] = 0.0;
  }
  for (int j = 0; j < nu_; ++j) multiply(c_.data(), nc_, rows_.row(j));
  rows_.factor(numeric::rank_threshold(tolerances_.rank, nu_, nc_));
  return {};
}

void ConstrainedSolve::find_left_null_space() {
  rank_of_null_space_ = rank_;
  std::fill(unique_.begin(), unique_.end(), char{1});
  const int redundant = nc_ - rank_;
  if (redundant == 0) return;
  const std::vector<int>& permutation = rows_.permutation();
  N_.leftCols(redundant).setZero();
  const int vectors = (redundant + numeric::PivotedQr::kLanes - 1) / numeric::PivotedQr::kLanes;
  const int width = vectors * numeric::PivotedQr::kLanes;
  combinations_.head(rank_ * width).setZero();
  for (int k = 0; k < rank_; ++k) {
    for (int j = 0; j < redundant; ++j) combinations_[k * width + j] = -rows_.R(k, rank_ + j);
  }
  rows_.solve_R_rows(combinations_.data(), vectors);
  for (int k = 0; k < rank_; ++k) {
    for (int j = 0; j < redundant; ++j) N_(permutation[static_cast<std::size_t>(k)], j) = combinations_[k * width + j];
  }
  for (int j = 0; j < redundant; ++j) N_(permutation[static_cast<std::size_t>(rank_ + j)], j) = 1.0;
  numeric::orthonormalize_columns(N_.leftCols(redundant));
  for (int i = 0; i < nc_; ++i) {
    double length2 = 0.0;
    for (int j = 0; j < redundant; ++j) length2 += N_(i, j) * N_(i, j);
    if (length2 > tolerance::kUnique * tolerance::kUnique) {
      unique_[static_cast<std::size_t>(i)] = 0;
    } else {
      N_.row(i).head(redundant).setZero();  // these entries are rounding errors
    }
  }
  is_weighted_ = (certainty_.array() != 1.0).any();
  if (is_weighted_) {
    N_equal_.leftCols(redundant) = N_.leftCols(redundant);
    for (int j = 0; j < redundant; ++j) N_equal_.col(j).array() *= certainty_.array();
    numeric::orthonormalize_columns(N_equal_.leftCols(redundant));
  }
  if (compliance_.size() > 0) divide_by_compliance();
}

/// Divides the null space into the combinations that change Σ compliance λ² and the remaining ones.
void ConstrainedSolve::divide_by_compliance() {
  const Matrix N = (is_weighted_ ? N_equal_ : N_).leftCols(nc_ - rank_);
  Vector weight = scales_.cwiseQuotient(certainty_).cwiseAbs2().cwiseProduct(compliance_);
  weight /= std::max(weight.maxCoeff(), std::numeric_limits<double>::min());
  const Matrix weighted = weight.asDiagonal() * N;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(N.transpose() * weighted);
  const Eigen::Index count = N.cols();
  Eigen::Index rigid = 0;
  while (rigid < count && !(eigen.eigenvalues()[rigid] > tolerance::kDerivedRank)) ++rigid;
  division_.remaining = N * eigen.eigenvectors().leftCols(rigid);
  const Matrix vectors = eigen.eigenvectors().rightCols(count - rigid);
  division_.determined = N * vectors;
  division_.by = weighted * vectors * eigen.eigenvalues().tail(count - rigid).cwiseInverse().asDiagonal();
  for (int i = 0; i < nc_; ++i)
    unique_[static_cast<std::size_t>(i)] = division_.remaining.row(i).norm() > tolerance::kUnique ? 0 : 1;
}

/// Computes a = M⁻¹ r_f (H⁻¹ h if M is singular) and c = D (r_b − A a), without reaction.
void ConstrainedSolve::start(ConstVector r_f, ConstVector r_b, Solution& solution) {
  for (int j = 0; j < nu_; ++j) a_[j] = r_f[j];
  if (is_mass_singular_) {
    for (int i = 0; i < nc_; ++i) {
      const double weighted = W_[i] * r_b[i];
      for (int j = 0; j < nu_; ++j) a_[j] += weighted * A_(i, j);
    }
  }
  mass_.solve_lower(a_.data());
  mass_.solve_lower_transposed(a_.data());
  missed_.setZero();
  for (int j = 0; j < nu_; ++j) add_column(A_.col(j).data(), a_[j], nc_, missed_.data());
  for (int i = 0; i < nc_; ++i) c_[i] = scales_[i] * (r_b[i] - missed_[i]);
  solution.u = a_;
  solution.lambda.setZero(nc_);
  solution.Q.setZero(nu_);
}

bool ConstrainedSolve::are_rows_consistent(ConstVector r_b) {
  const std::vector<int>& permutation = rows_.permutation();
  double known_reach = -1.0;
  const auto reach = [&] {  // |x| + |a| in the metric of M, the size of the accelerations
    if (known_reach >= 0.0) return known_reach;
    double a2 = 0.0;
    for (int j = 0; j < nu_; ++j) {
      const double* L_j = mass_.L().data() + static_cast<std::ptrdiff_t>(j) * nu_;
      const double scaled = dot(L_j + j, a_.data() + j, mass_.end_of_column(j) - j);
      a2 += scaled * scaled;
    }
    return known_reach = std::sqrt(dot(y_.data(), y_.data(), rank_)) + std::sqrt(a2);
  };
  for (int k = rank_; k < nc_; ++k) {
    const int i = permutation[static_cast<std::size_t>(k)];
    double missed = c_[i];
    double rounding = 0.0, doubt = scales_[i] * doubt_[i];
    for (int row = 0; row < rank_; ++row) {
      const double part = rows_.R(row, k) * y_[row];
      const int kept = permutation[static_cast<std::size_t>(row)];
      missed -= part;
      // The coefficient of row `kept` is at most about 1 because of pivoting, so 1 is used.
      if (rows_.R(row, k) != 0.0) doubt += scales_[kept] * doubt_[kept];
      // Rows have unit length, so an entry of R has an error of about ε. If two rows share no speed, the entry is
      // exactly zero and has no error.
      if (part != 0.0) rounding += std::abs(y_[row]);
    }
    double scale = std::abs(r_b[i]);
    for (int j = 0; j < nu_; ++j) scale += std::abs(A_(i, j) * a_[j]);
    double tolerated = in_force_.consistency * scales_[i] * scale + nc_ * tolerance::kPerStep * rounding;
    // The right-hand side of a row of zeros may be a rounding error of terms as large as those of the longest row.
    if (row_lengths_[i] == 0.0) tolerated = in_force_.rank * longest_row_ * reach();
    tolerated += doubt;
    // Accelerations may be sums of larger terms that cancel. A residual as large as the rounding errors of these terms
    // is accepted.
    if (std::abs(missed) > tolerated && std::abs(missed) > tolerated + in_force_.rank * reach()) return false;
  }
  return true;
}

Failure ConstrainedSolve::name_contradiction() const {
  // N Nᵀ c is the residual of the least-squares solution. Its component s divided by (N Nᵀ)_ss is the residual of row s
  // if the other rows are satisfied. N Nᵀ e_s is the contradictory combination of rows that contains row s.
  const auto N = N_.leftCols(nc_ - rank_);
  const Vector left_over = N * (N.transpose() * c_);
  Eigen::Index first = 0;
  left_over.cwiseAbs().maxCoeff(&first);
  const Vector w = N * N.row(first).transpose();
  Failure failure;
  failure.kind = FailureKind::kInconsistent;
  failure.size = std::abs(left_over[first] / w[first]) / scales_[first];
  // Shares are rounded, so that rounding errors do not change the order of rows with equal shares.
  const auto share = [&](int i) { return std::round(1e6 * std::abs(w[i] / w[first])); };
  for (int i = 0; i < nc_; ++i) {
    if (i != first && share(i) > 1e6 * tolerance::kNamed) failure.rows.push_back(i);
  }
  std::stable_sort(failure.rows.begin(), failure.rows.end(), [&](int i, int j) { return share(i) > share(j); });
  failure.rows.insert(failure.rows.begin(), static_cast<int>(first));
  failure.message =
      failure.rows.size() == 1
          ? fmt::format("a constraint that no acceleration affects here is missed by {:.3g}", failure.size)
          : fmt::format("{} constraints contradict each other by {:.3g}", failure.rows.size(), failure.size);
  return failure;
}

/// Adds L⁻ᵀ B⁺ c to u, the corresponding force to Q, and its multipliers of least norm to λ.
/// \pre y_ = R11⁻ᵀ (Pᵀ c)_1
void ConstrainedSolve::add_reaction(Solution& solution) {
  for (int k = 0; k < rank_; ++k) x_[k] = y_[k];
  for (int j = rank_; j < nu_; ++j) x_[j] = 0.0;
  rows_.multiply_Q(x_.data());

  rows_.solve_R(y_.data());
  multiplier_.setZero();
  const std::vector<int>& permutation = rows_.permutation();
  for (int k = 0; k < rank_; ++k) multiplier_[permutation[static_cast<std::size_t>(k)]] = y_[k];
  // Subtract the combinations that exert no force. Row weights affect the accelerations, not the reported multipliers.
  for (int i = 0; i < nc_; ++i) multiplier_[i] *= certainty_[i];
  const bool is_divided = compliance_.size() > 0 && rank_ < nc_;
  if (is_divided) multiplier_ -= division_.determined * (division_.by.transpose() * multiplier_).eval();
  const Matrix& N = is_divided ? division_.remaining : is_weighted_ ? N_equal_ : N_;
  for (int j = 0; j < (is_divided ? static_cast<int>(N.cols()) : nc_ - rank_); ++j) {
    const double* N_j = N.data() + static_cast<std::ptrdiff_t>(j) * nc_;
    const double share = dot(N_j, multiplier_.data(), nc_);
    for (int i = 0; i < nc_; ++i) multiplier_[i] -= share * N_j[i];
  }
  for (int i = 0; i < nc_; ++i) {
    if (row_lengths_[i] > 0.0) solution.lambda[i] += scales_[i] / certainty_[i] * multiplier_[i];
  }

  force_ = x_;
  mass_.multiply_lower(force_.data());
  mass_.solve_lower_transposed(x_.data());
  for (int j = 0; j < nu_; ++j) {
    solution.Q[j] += force_[j];
    solution.u[j] += x_[j];
  }
}

/// Computes c = D (r_b − A u). \returns the largest residual of a row relative to the sum of the terms of the row.
double ConstrainedSolve::find_missed(ConstVector r_b, const Solution& solution) {
  double worst = 0.0;
  missed_ = r_b;
  size_ = r_b.cwiseAbs();
  for (int j = 0; j < nu_; ++j) {
    add_column(A_.col(j).data(), -solution.u[j], nc_, missed_.data());
    add_sizes(A_.col(j).data(), solution.u[j], nc_, size_.data());
  }
  for (int i = 0; i < nc_; ++i) {
    c_[i] = scales_[i] * missed_[i];
    if (row_lengths_[i] > 0.0 && std::abs(missed_[i]) > worst * size_[i]) worst = std::abs(missed_[i]) / size_[i];
  }
  return worst;
}

Outcome<void> ConstrainedSolve::solve(ConstVector r_f, ConstVector r_b, Solution& solution) {
  VINCULUM_EXPECTS(is_factored_);
  VINCULUM_EXPECTS(r_f.size() == nu_ && r_b.size() == nc_);
  if (!numeric::is_finite(r_f)) return fail(non_finite("the right-hand side", {}, numeric::non_finite_rows(r_f)));
  if (!numeric::is_finite(r_b)) return fail(non_finite("the right-hand side", numeric::non_finite_rows(r_b), {}));
  const std::vector<int>& permutation = rows_.permutation();
  const auto project = [&] {
    for (int k = 0; k < rank_; ++k) y_[k] = c_[permutation[static_cast<std::size_t>(k)]];
    rows_.solve_R_transposed(y_.data());
  };
  start(r_f, r_b, solution);
  project();
  if (rank_ < nc_ && !are_rows_consistent(r_b)) return fail(name_contradiction());
  add_reaction(solution);

  if (rank_ == 0) return {};
  for (int k = 0; k < kCorrections; ++k) {
    const double missed = find_missed(r_b, solution);
    project();
    add_reaction(solution);
    if (missed <= tolerance::kQuadratic) break;
  }
  return {};
}

void ConstrainedSolve::solve_least_squares(ConstVector r_f, ConstVector r_b, Solution& solution) {
  VINCULUM_EXPECTS(is_factored_);
  VINCULUM_EXPECTS(r_f.size() == nu_ && r_b.size() == nc_);
  start(r_f, r_b, solution);
  for (int j = 0; j < nc_ - rank_; ++j) {  // removes the part of c that is not in the range of B
    const double* N_j = N_.data() + static_cast<std::ptrdiff_t>(j) * nc_;
    const double share = dot(N_j, c_.data(), nc_);
    for (int i = 0; i < nc_; ++i) c_[i] -= share * N_j[i];
  }
  const std::vector<int>& permutation = rows_.permutation();
  for (int k = 0; k < rank_; ++k) y_[k] = c_[permutation[static_cast<std::size_t>(k)]];
  rows_.solve_R_transposed(y_.data());
  add_reaction(solution);
  if (!is_mass_singular_) return;
  for (int i = 0; i < nc_; ++i) {  // multipliers for M instead of H: M u = r_f + Aᵀ (λ + W (r_b − A u))
    double sum = 0.0;
    for (int j = 0; j < nu_; ++j) sum += A_(i, j) * solution.u[j];
    const double missed = W_[i] * (r_b[i] - sum);
    solution.lambda[i] += missed;
    for (int j = 0; j < nu_; ++j) solution.Q[j] += missed * A_(i, j);
  }
}

Matrix ConstrainedSolve::left_null_space() const {
  if (compliance_.size() > 0 && rank_ < nc_)
    return scales_.cwiseQuotient(certainty_).asDiagonal() * division_.remaining;
  return scales_.asDiagonal() * N_.leftCols(nc_ - rank_);
}

Matrix ConstrainedSolve::null_space() const {
  Matrix Z = Matrix::Zero(nu_, nu_ - rank_);
  for (Eigen::Index j = 0; j < Z.cols(); ++j) {
    double* column = Z.col(j).data();
    column[rank_ + j] = 1.0;
    rows_.multiply_Q(column);
    mass_.solve_lower_transposed(column);
  }
  return Z;
}

}  // namespace vinculum::solve
