#include "vinculum/numeric/null_space.hpp"

#include <algorithm>

#include "vinculum/base/index.hpp"
#include "vinculum/numeric/pivoted_qr.hpp"
#include "vinculum/numeric/rank.hpp"

namespace vinculum::numeric {
namespace {

PivotedQr factor_equilibrated(ConstMatrix A, double tol_rank, Vector& scales) {
  const int nc = static_cast<int>(A.rows());
  const int nu = static_cast<int>(A.cols());
  Vector lengths = A.rowwise().norm();
  scales.resize(nc);
  equilibrate_rows(lengths, scales);
  PivotedQr qr(nu, nc);
  for (int i = 0; i < nc; ++i) {
    const double scale = lengths[i] == 0.0 ? 0.0 : scales[i];
    qr.column(i) = scale * A.row(i).transpose();
  }
  qr.factor(rank_threshold(tol_rank, nu, nc));
  return qr;
}

}  // namespace

void orthonormalize_columns(MatrixRef N) {
  for (Eigen::Index j = 0; j < N.cols(); ++j) {
    for (int pass = 0; pass < 2; ++pass) {
      for (Eigen::Index k = 0; k < j; ++k) {
        double dot = 0.0;
        for (Eigen::Index i = 0; i < N.rows(); ++i) dot += N(i, k) * N(i, j);
        for (Eigen::Index i = 0; i < N.rows(); ++i) N(i, j) -= dot * N(i, k);
      }
    }
    N.col(j) /= N.col(j).norm();
  }
}

Matrix null_space(ConstMatrix A, double tol_rank) {
  Vector scales;
  const PivotedQr qr = factor_equilibrated(A, tol_rank, scales);
  const Eigen::Index nu = A.cols();
  Matrix Z = Matrix::Zero(nu, nu - qr.rank());
  for (Eigen::Index j = 0; j < Z.cols(); ++j) {
    Z(qr.rank() + j, j) = 1.0;
    qr.multiply_Q(Z.col(j).data());
  }
  return Z;
}

EchelonBasis echelon_null_space(ConstMatrix A, ConstVector weight, int rank) {
  const Eigen::Index nu = A.cols();
  Matrix R = A * weight.cwiseInverse().asDiagonal();
  for (Eigen::Index i = 0; i < R.rows(); ++i) {
    if (const double length = R.row(i).norm(); length > 0.0) R.row(i) /= length;
  }
  std::vector<Eigen::Index> dependent;  // the unknown for which row k is solved
  for (Eigen::Index k = 0; k < rank; ++k) {
    Eigen::Index row = 0, column = 0;
    R.bottomRows(R.rows() - k).cwiseAbs().maxCoeff(&row, &column);
    R.row(k).swap(R.row(k + row));
    R.row(k) /= R(k, column);
    for (Eigen::Index i = 0; i < R.rows(); ++i) {
      if (i != k) R.row(i) -= R(i, column) * R.row(k).eval();
    }
    dependent.push_back(column);
  }
  EchelonBasis basis;
  for (Eigen::Index j = 0; j < nu; ++j) {
    if (std::ranges::find(dependent, j) == dependent.end()) basis.free.push_back(static_cast<int>(j));
  }
  basis.Z = Matrix::Zero(nu, static_cast<Eigen::Index>(basis.free.size()));
  for (Eigen::Index c = 0; c < basis.Z.cols(); ++c) {
    const int j = nth(basis.free, c);
    basis.Z(j, c) = 1.0;
    for (Eigen::Index k = 0; k < rank; ++k) {
      const Eigen::Index i = nth(dependent, k);
      basis.Z(i, c) = -R(k, j) * weight[j] / weight[i];
    }
  }
  return basis;
}

Matrix left_null_space(ConstMatrix A, double tol_rank) {
  Vector scales;
  const PivotedQr qr = factor_equilibrated(A, tol_rank, scales);
  const int nc = static_cast<int>(A.rows());
  const int rank = qr.rank();
  Matrix N = Matrix::Zero(nc, nc - rank);
  Vector column(rank);
  for (int j = 0; j < nc - rank; ++j) {
    for (int k = 0; k < rank; ++k) column[k] = -qr.R(k, rank + j);
    qr.solve_R(column.data());
    for (int k = 0; k < rank; ++k) N(nth(qr.permutation(), k), j) = column[k];
    N(nth(qr.permutation(), rank + j), j) = 1.0;
  }
  orthonormalize_columns(N);
  return scales.asDiagonal() * N;
}

}  // namespace vinculum::numeric
