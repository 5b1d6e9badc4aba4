#include "vinculum/linear/modes.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::linear {
namespace {

using Index = Eigen::Index;
using Indices = std::vector<Index>;

constexpr int kMostBalancings = 50;
constexpr double kWorthBalancing = 0.95;  // a scaling that shrinks a row and column by less is left out (LAPACK dgebal)

/// Variables that are no part of the essential system: `ignorable` in the order in which no remaining rate depends on
/// them, `constant` in the order in which their rates depend on no remaining variable.
struct Peeled {
  Indices ignorable, constant, rest;
};

Peeled peel(const Matrix& A, bool peels) {
  Peeled peeled;
  peeled.rest.resize(static_cast<std::size_t>(A.rows()));
  std::iota(peeled.rest.begin(), peeled.rest.end(), Index{0});
  if (!peels) return peeled;
  const auto take = [&](Indices& to, const auto& is_zero) {
    const auto found = std::ranges::find_if(
        peeled.rest, [&](Index i) { return std::ranges::all_of(peeled.rest, [&](Index j) { return is_zero(i, j); }); });
    if (found == peeled.rest.end()) return false;
    to.push_back(*found);
    peeled.rest.erase(found);
    return true;
  };
  while (take(peeled.ignorable, [&](Index i, Index j) { return A(j, i) == 0.0; })) continue;
  while (take(peeled.constant, [&](Index i, Index j) { return A(i, j) == 0.0; })) continue;
  return peeled;
}

/// Balances rows and columns by powers of two. \returns the factors d: A becomes d⁻¹ A d.
Vector balance(Matrix& A) {
  Vector factor = Vector::Ones(A.rows());
  bool has_changed = true;
  for (int round = 0; has_changed && round < kMostBalancings; ++round) {
    has_changed = false;
    for (Index i = 0; i < A.rows(); ++i) {
      const double column = A.col(i).norm(), row = A.row(i).norm();
      if (column == 0.0 || row == 0.0) continue;
      const double f = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (column * f + row / f >= kWorthBalancing * (column + row)) continue;
      A.col(i) *= f;
      A.row(i) /= f;
      factor[i] *= f;
      has_changed = true;
    }
  }
  return factor;
}

/// An orthogonal basis Q in which A is block triangular: Qᵀ A Q = [N *; 0 R] with N nilpotent and R regular.
struct Staircase {
  Matrix Q;
  Index zeros = 0;              ///< size of N
  std::vector<Index> families;  ///< number of zeros found in each round: the first are eigenvectors
};

/// \param rounding  relative error of A; a singular value counts as zero below a hundred times this
Staircase staircase_of(const Matrix& A, double rounding) {
  constexpr double kWorstConditioning = 100.0;
  const Index n = A.rows();
  Staircase found{Matrix::Identity(n, n), 0, {}};
  const double size = n > 0 ? A.norm() : 0.0;
  while (found.zeros < n) {
    const Index rest = n - found.zeros;
    const Matrix R = (found.Q.transpose() * A * found.Q).bottomRightCorner(rest, rest);
    const Eigen::JacobiSVD<Matrix> svd(R, Eigen::ComputeFullV);
    Index zeros = 0;
    while (zeros < rest && svd.singularValues()[rest - 1 - zeros] <= kWorstConditioning * rounding * size) ++zeros;
    if (zeros == 0) break;
    Matrix V(rest, rest);
    V << svd.matrixV().rightCols(zeros), svd.matrixV().leftCols(rest - zeros);
    found.Q.rightCols(rest) = found.Q.rightCols(rest) * V;
    found.zeros += zeros;
    found.families.push_back(zeros);
  }
  return found;
}

/// The eigenvalues and eigenvectors of the regular part.
struct Regular {
  ComplexVector eigenvalues;
  ComplexMatrix right, left;  ///< `left` is empty if the eigenvectors are not a basis
  Vector uncertainty;
};

Regular eigen_of(const Matrix& R, double rounding) {
  Regular result;
  const Index n = R.rows();
  if (n == 0) return result;
  const Eigen::EigenSolver<Matrix> solver(R);
  Indices order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  const ComplexVector& values = solver.eigenvalues();
  // the two values of a pair have the same magnitude, and so stay next to each other
  std::ranges::stable_sort(order, [&](Index a, Index b) { return std::abs(values[a]) < std::abs(values[b]); });
  result.eigenvalues = values(order);
  result.right = solver.eigenvectors()(Eigen::all, order);
  const Eigen::PartialPivLU<ComplexMatrix> lu(result.right);
  const double error = rounding * R.norm();
  if (lu.rcond() > tolerance::kConverged) {
    result.left = lu.inverse();
    result.uncertainty = error * result.left.rowwise().norm().cwiseProduct(result.right.colwise().norm().transpose());
  } else {
    result.uncertainty = Vector::Constant(n, std::sqrt(rounding) * R.norm());
  }
  return result;
}

/// Completes eigenvectors of the middle block m of a block triangular matrix [a * *; 0 m *; 0 0 b].
void complete(const Matrix& B, Index before, const Regular& regular, Modes& modes) {
  const Index n = B.rows(), middle = regular.eigenvalues.size(), after = n - before - middle;
  modes.right = ComplexMatrix::Zero(n, middle);
  if (middle > 0) modes.right.middleRows(before, middle) = regular.right;
  if (regular.left.size() > 0) {
    modes.left = ComplexMatrix::Zero(middle, n);
    modes.left.middleCols(before, middle) = regular.left;
  }
  for (Index k = 0; k < middle; ++k) {
    const std::complex<double> value = regular.eigenvalues[k];
    if (before > 0) {
      ComplexMatrix N = -B.topLeftCorner(before, before).cast<std::complex<double>>();
      N.diagonal().array() += value;
      modes.right.col(k).head(before) =
          N.partialPivLu().solve(B.block(0, before, before, middle) * regular.right.col(k));
    }
    if (after > 0 && modes.left.size() > 0) {
      ComplexMatrix N = -B.bottomRightCorner(after, after).transpose().cast<std::complex<double>>();
      N.diagonal().array() += value;
      modes.left.row(k).tail(after) =
          N.partialPivLu()
              .solve(B.block(before, before + middle, middle, after).transpose() * regular.left.row(k).transpose())
              .transpose();
    }
  }
}

}  // namespace

Matrix without_rounding(const Matrix& A, const Vector& scale, double rounding) {
  Matrix scaled = scale.cwiseInverse().asDiagonal() * A * scale.asDiagonal();
  const double least = scaled.size() == 0 ? 0.0 : rounding * scaled.cwiseAbs().maxCoeff();
  return scaled.unaryExpr([least](double entry) { return std::abs(entry) <= least ? 0.0 : entry; });
}

Modes modes_of(const Matrix& A, const Vector& scale, double rounding, bool names_variables) {
  const Index n = A.rows();
  Modes modes;
  const Matrix scaled = without_rounding(A, scale, rounding);
  const Peeled peeled = peel(scaled, names_variables);
  Matrix rest = scaled(peeled.rest, peeled.rest);
  const Vector factor = balance(rest);
  const Staircase stairs = staircase_of(rest, rounding);
  modes.size = rest.size() > 0 ? rest.norm() : 0.0;

  // basis: ignorable variables, zero directions, regular part, constants (the last one found first)
  const auto ignorable = static_cast<Index>(peeled.ignorable.size()), inner = rest.rows();
  Vector unit = scale;
  for (Index i = 0; i < inner; ++i) unit[peeled.rest[static_cast<std::size_t>(i)]] *= factor[i];
  Matrix basis = Matrix::Zero(n, n);
  for (Index i = 0; i < ignorable; ++i) basis(peeled.ignorable[static_cast<std::size_t>(i)], i) = 1.0;
  basis(peeled.rest, Eigen::seqN(ignorable, inner)) = stairs.Q;
  for (std::size_t i = 0; i < peeled.constant.size(); ++i)
    basis(peeled.constant[i], n - 1 - static_cast<Index>(i)) = 1.0;
  const Matrix cleaned = [&] {
    Vector relative = Vector::Ones(n);
    for (Index i = 0; i < inner; ++i) relative[peeled.rest[static_cast<std::size_t>(i)]] = factor[i];
    return Matrix(relative.cwiseInverse().asDiagonal() * scaled * relative.asDiagonal());
  }();
  const Matrix B = basis.transpose() * cleaned * basis;
  const Index before = ignorable + stairs.zeros, middle = inner - stairs.zeros;
  const Regular regular = eigen_of(B.block(before, before, middle, middle), rounding);
  modes.eigenvalues = regular.eigenvalues;
  modes.uncertainty = regular.uncertainty;
  complete(B, before, regular, modes);
  modes.right = (unit.asDiagonal() * (basis * modes.right)).eval();
  if (modes.left.size() > 0) modes.left = (modes.left * basis.transpose() * unit.cwiseInverse().asDiagonal()).eval();

  using Why = ZeroEigenvalue::Why;
  for (const Index i : peeled.ignorable) modes.zeros.push_back({Why::kIgnorable, i, {}});
  for (const Index i : peeled.constant) modes.zeros.push_back({Why::kConstant, i, {}});
  for (Index k = 0; k < stairs.zeros; ++k) {
    const bool is_family = k < stairs.families.front();
    Vector direction = unit.cwiseProduct(basis.col(ignorable + k));
    direction /= direction.cwiseQuotient(scale).cwiseAbs().maxCoeff();
    modes.zeros.push_back({is_family ? Why::kFamily : Why::kDrift, -1, std::move(direction)});
  }
  return modes;
}

}  // namespace vinculum::linear
