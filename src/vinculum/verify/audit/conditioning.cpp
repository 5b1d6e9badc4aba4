#include "vinculum/verify/audit/conditioning.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::audit {
namespace {

constexpr int kSweeps = 8;

/// Returns the powers of two closest to 1/√x, with x the largest entry of each row or column.
Vector halved_exponents(const Vector& largest) {
  Vector by = Vector::Ones(largest.size());
  for (Eigen::Index i = 0; i < by.size(); ++i) {
    if (largest[i] > 0.0 && std::isfinite(largest[i]))
      by[i] = std::exp2(-std::floor(0.5 * std::log2(largest[i]) + 0.5));
  }
  return by;
}

/// Returns the power of two closest to 1/x; 1 if x is 0 or not finite.
double inverse_power(double x) {
  return x > 0.0 && std::isfinite(x) ? std::exp2(-std::floor(std::log2(x) + 0.5)) : 1.0;
}

/// Scales rows and columns so that their largest entries are of order 1: K ← R K C. If the unknowns have different
/// dimensions, they are first scaled by their typical magnitudes, so the result does not depend on units.   Source:
/// Ruiz, A scaling algorithm to equilibrate both rows and columns norms in matrices, RAL-TR-2001-034.
void equilibrate(Matrix& K, const Vector& size, Vector& of_rows, Vector& of_columns) {
  of_rows.setOnes(K.rows());
  of_columns.setOnes(K.cols());
  if (size.size() > 0) {
    for (Eigen::Index j = 0; j < K.cols(); ++j) of_columns[j] = 1.0 / inverse_power(size[j]);
    for (Eigen::Index i = 0; i < K.rows(); ++i)
      of_rows[i] = inverse_power(K.row(i).transpose().cwiseProduct(of_columns).cwiseAbs().maxCoeff());
    K = of_rows.asDiagonal() * K * of_columns.asDiagonal();
  }
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    const Vector rows = halved_exponents(K.cwiseAbs().rowwise().maxCoeff()),
                 columns = halved_exponents(K.cwiseAbs().colwise().maxCoeff().transpose());
    K = rows.asDiagonal() * K * columns.asDiagonal();
    of_rows = of_rows.cwiseProduct(rows);
    of_columns = of_columns.cwiseProduct(columns);
  }
}

/// Equilibrates [M −Aᵀ; A 0]. The diagonal of M becomes 1; then the rows of A and the columns of reactions are scaled
/// so that their largest entries are of order 1. The result is independent of the units of mass, coordinates and rows.
/// Speeds without mass are scaled by the rows that contain them.
void equilibrate_by_mass(Matrix& K, Eigen::Index inertial, Vector& of_rows, Vector& of_columns) {
  of_rows.setOnes(K.rows());
  of_columns.setOnes(K.cols());
  std::vector<char> has_mass;
  for (Eigen::Index r = 0; r < inertial; ++r) {
    has_mass.push_back(K(r, r) != 0.0 ? 1 : 0);
    of_columns[r] = inverse_power(std::sqrt(std::abs(K(r, r))));
  }
  const auto largest_of_row = [&](Eigen::Index i, bool with_mass) {
    double largest = 0.0;
    for (Eigen::Index r = 0; r < inertial; ++r) {
      if (!with_mass || nth(has_mass, r) != 0) largest = std::max(largest, std::abs(K(i, r)) * of_columns[r]);
    }
    return largest;
  };
  for (Eigen::Index i = inertial; i < K.rows(); ++i) {
    const double by_mass = largest_of_row(i, true);
    of_rows[i] = inverse_power(by_mass > 0.0 ? by_mass : largest_of_row(i, false));
  }
  for (Eigen::Index r = 0; r < inertial; ++r) {
    if (nth(has_mass, r) == 0) {
      const Eigen::Index below = K.rows() - inertial;
      of_columns[r] =
          inverse_power(below > 0 ? K.col(r).tail(below).cwiseAbs().cwiseProduct(of_rows.tail(below)).maxCoeff() : 0.0);
    }
    of_rows[r] = of_columns[r];
  }
  for (Eigen::Index c = inertial; c < K.cols(); ++c)
    of_columns[c] = inverse_power(K.col(c).cwiseAbs().cwiseProduct(of_rows).maxCoeff());
  K = of_rows.asDiagonal() * K * of_columns.asDiagonal();
}

void equilibrate(const LinearSystem& system, Matrix& K, Vector& of_rows, Vector& of_columns) {
  if (system.inertial > 0)
    equilibrate_by_mass(K, system.inertial, of_rows, of_columns);
  else
    equilibrate(K, system.size, of_rows, of_columns);
}

/// Groups of coupled rows: for each row, the index of the first row of its group. Two rows are coupled if both have a
/// nonzero entry in some column.
std::vector<std::size_t> joined_rows(const Matrix& K) {
  std::vector<std::size_t> root(static_cast<std::size_t>(K.rows()));
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto find = [&root](std::size_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (Eigen::Index c = 0; c < K.cols(); ++c) {
    std::size_t first = root.size();
    for (Eigen::Index r = 0; r < K.rows(); ++r) {
      if (K(r, c) == 0.0) continue;
      const std::size_t own = find(static_cast<std::size_t>(r));
      first = first == root.size() ? own : first;
      root[own] = find(first);
    }
  }
  for (std::size_t i = 0; i < root.size(); ++i) root[i] = find(i);
  return root;
}

}  // namespace

Miss miss_of_solve(const LinearSystem& system, bool mixes, double iterated) {
  Miss miss{Vector::Zero(system.K.cols()), Vector::Zero(system.K.rows()), Vector::Zero(system.K.cols())};
  if (system.K.size() == 0) return miss;
  Matrix K = values_of(system.K), errors = errors_of(system.K);
  if (!K.allFinite() || !system.x.allFinite()) {
    for (Vector* all : {&miss.of_x, &miss.of_terms, &miss.of_entries})
      all->setConstant(std::numeric_limits<double>::infinity());
    return miss;
  }
  Vector of_rows, of_columns;
  equilibrate(system, K, of_rows, of_columns);
  errors = of_rows.asDiagonal() * errors * of_columns.asDiagonal();
  const Vector x = system.x.cwiseAbs().cwiseQuotient(of_columns), r = of_rows.cwiseProduct(Vector(values_of(system.r)));
  const Vector terms = K.cwiseAbs() * x + r.cwiseAbs();
  const std::vector<std::size_t> joined =
      mixes ? std::vector<std::size_t>(static_cast<std::size_t>(terms.size()), 0) : joined_rows(K);
  Vector largest = Vector::Zero(terms.size());
  for (Eigen::Index i = 0; i < terms.size(); ++i) {
    double& of_all = nth(largest, nth(joined, i));
    of_all = std::max(of_all, terms[i]);
  }
  const Vector of_entries = errors * x + of_rows.cwiseProduct(Vector(errors_of(system.r)));
  const double gamma = tolerance::kPerStep * static_cast<double>(K.rows()) + iterated;
  Vector of_terms(terms.size());
  for (Eigen::Index i = 0; i < terms.size(); ++i) of_terms[i] = gamma * nth(largest, nth(joined, i));
  Eigen::CompleteOrthogonalDecomposition<Matrix> qr;
  qr.setThreshold(tolerance::kRank);
  const Matrix inverse = qr.compute(K).pseudoInverse().cwiseAbs();
  miss.of_x = of_columns.cwiseProduct(inverse * (of_entries + of_terms));
  miss.of_entries = of_columns.cwiseProduct(inverse * of_entries);
  miss.of_terms = of_terms.cwiseQuotient(of_rows);
  miss.condition = (inverse * K.cwiseAbs()).rowwise().sum().maxCoeff();
  return miss;
}

Vector solution_of(const LinearSystem& system) {
  Matrix K = values_of(system.K);
  Vector of_rows, of_columns;
  equilibrate(system, K, of_rows, of_columns);
  return of_columns.cwiseProduct(Vector(K.fullPivLu().solve(of_rows.cwiseProduct(Vector(values_of(system.r))))));
}

}  // namespace vinculum::audit
