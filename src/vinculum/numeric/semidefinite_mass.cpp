#include "vinculum/numeric/semidefinite_mass.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/numeric/null_space.hpp"

namespace vinculum::numeric {
namespace {

/// Weight W_i of one row of A (`semidefinite_weights`).
/// \param mass  [nu] diagonal of M.   \param mean  mean |diagonal entry|.
/// \param row  calls its argument with the column and the value of each entry of the row, in order.
template <class Mass, class Row>
double weight_of_row(const Mass& mass, double mean, const Row& row) {
  double length2 = 0.0, mobility = 0.0;
  row([&](Eigen::Index, double entry) { length2 += entry * entry; });
  row([&](Eigen::Index j, double entry) {
    const double entry2 = entry * entry;
    if (mass[j] > tolerance::kRounded * mean && entry2 > tolerance::kRounded * tolerance::kRounded * length2)
      mobility += entry2 / mass[j];
  });
  if (mobility > 0.0) return 1.0 / mobility;
  return length2 > 0.0 ? (mean > 0.0 ? mean : 1.0) / length2 : 0.0;
}

template <class Mass>
double mean_size(const Mass& mass) {
  double mean = 0.0;
  for (Eigen::Index j = 0; j < mass.size(); ++j) mean += std::abs(mass[j]);
  return mass.size() > 0 ? mean / static_cast<double>(mass.size()) : 0.0;
}

}  // namespace

void semidefinite_weights(ConstMatrix M, ConstMatrix A, VectorRef W) {
  const auto mass = M.diagonal();
  const double mean = mean_size(mass);
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    W[i] = weight_of_row(mass, mean, [&](const auto& see) {
      for (Eigen::Index j = 0; j < A.cols(); ++j) see(j, A(i, j));
    });
  }
}

Vector semidefinite_weights(const SparseMatrix& M, const SparseMatrix& At) {
  const Vector mass = M.diagonal();
  const double mean = mean_size(mass);
  Vector W(At.cols());
  for (Eigen::Index i = 0; i < At.cols(); ++i) {
    W[i] = weight_of_row(mass, mean, [&](const auto& see) {
      for (SparseMatrix::InnerIterator entry(At, i); entry; ++entry) see(entry.row(), entry.value());
    });
  }
  return W;
}

void add_weighted_rows(ConstMatrix A, ConstVector W, MatrixRef H) {
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
      const double weighted = W[i] * A(i, j);
      if (weighted == 0.0) continue;
      for (Eigen::Index k = j; k < A.cols(); ++k) H(k, j) += weighted * A(i, k);
    }
  }
}

Failure undetermined_motion(ConstMatrix M, ConstMatrix A, int pivot) {
  const Eigen::Index nu = M.rows();
  Matrix stacked(nu + A.rows(), nu);
  stacked.topRows(nu) = Matrix(M).selfadjointView<Eigen::Lower>();
  stacked.bottomRows(A.rows()) = A;
  // Rows and then columns are scaled to unit length, so that coordinates of different units become comparable.
  for (Eigen::Index i = 0; i < stacked.rows(); ++i) {
    const double length = stacked.row(i).norm();
    if (length > 0.0) stacked.row(i) /= length;
  }
  for (Eigen::Index j = 0; j < nu; ++j) {
    const double length = stacked.col(j).norm();
    if (length > 0.0) stacked.col(j) /= length;
  }
  const Matrix Z = null_space(stacked, tolerance::kDerivedRank);

  Failure failure;
  failure.kind = FailureKind::kUndetermined;
  const Vector share = Z.cols() > 0 ? Vector(Z.rowwise().norm()) : Vector(Vector::Zero(nu));
  const double largest = nu > 0 ? share.maxCoeff() : 0.0;
  for (Eigen::Index j = 0; j < nu; ++j) {
    if (largest > 0.0 && share[j] > tolerance::kNamed * largest) failure.coordinates.push_back(static_cast<int>(j));
  }
  if (failure.coordinates.empty()) {
    failure.coordinates.push_back(pivot);
    failure.message = fmt::format("the mass matrix is not positive semidefinite (coordinate {})", pivot);
  } else {
    failure.message =
        fmt::format("{} of {} directions of acceleration {} neither mass nor constraint (coordinate{} {})", Z.cols(),
                    nu, Z.cols() == 1 ? "has" : "have", failure.coordinates.size() == 1 ? "" : "s",
                    fmt::join(failure.coordinates, ", "));
  }
  return failure;
}

}  // namespace vinculum::numeric
