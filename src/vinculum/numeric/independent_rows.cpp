#include "vinculum/numeric/independent_rows.hpp"

#include <Eigen/SparseCholesky>
#include <cmath>
#include <map>
#include <vector>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::numeric {
namespace {

template <class Ordering>
using Ldlt = Eigen::SimplicialLDLT<SparseMatrix, Eigen::Lower, Ordering>;

/// Whether there is a factor whose pivots all keep that share of their diagonal entries; false also for NaN.
template <class Ordering>
bool factor_with(Ldlt<Ordering>& ldlt, const SparseMatrix& S, double tol_pivot) {
  ldlt.compute(S);
  if (ldlt.info() != Eigen::Success) return false;
  Vector before = S.diagonal();
  if (ldlt.permutationP().size() > 0) before = ldlt.permutationP() * before;
  const Vector pivots = ldlt.vectorD();
  for (Eigen::Index k = 0; k < pivots.size(); ++k) {
    if (!(pivots[k] > 0.0 && pivots[k] > tol_pivot * before[k]) || !std::isfinite(pivots[k])) return false;
  }
  return true;
}

using InOrder = Ldlt<Eigen::NaturalOrdering<int>>;

/// D^(−1/2) L⁻¹ X, column by column: only what its entries reach.
SparseMatrix over_root(const InOrder& M, const SparseMatrix& X) {
  const auto& L = M.matrixL().nestedExpression();
  const Vector D = M.vectorD();
  std::vector<SparseEntry> entries;
  std::map<int, double> column;
  for (int j = 0; j < X.outerSize(); ++j) {
    column.clear();
    for (SparseMatrix::InnerIterator x(X, j); x; ++x) column[static_cast<int>(x.row())] = x.value();
    for (const auto& [i, value] : column) {
      for (SparseMatrix::InnerIterator below(L, i); below; ++below) {
        if (below.row() > i) column[static_cast<int>(below.row())] -= below.value() * value;
      }
      if (value != 0.0) entries.emplace_back(i, j, value / std::sqrt(D[i]));
    }
  }
  SparseMatrix over(X.rows(), X.cols());
  over.setFromTriplets(entries.begin(), entries.end());
  return over;
}

}  // namespace

struct IndependentRows::Factors {
  InOrder M;
  SparseMatrix B;  ///< [nu×nc]
  Ldlt<Eigen::AMDOrdering<int>> gram;
};

IndependentRows::IndependentRows() : factors_(std::make_unique<Factors>()) {}
IndependentRows::~IndependentRows() = default;

bool IndependentRows::factor(const SparseMatrix& M, const SparseMatrix& At) {
  Factors& of = *factors_;
  if (!factor_with(of.M, M, tolerance::kWeakMass)) return false;
  of.B = over_root(of.M, At);
  return factor_with(of.gram, SparseMatrix(SparseMatrix(of.B.transpose()) * of.B), tolerance::kWeakRow);
}

Vector IndependentRows::least(ConstVector d) const {
  const Factors& of = *factors_;
  const Vector multipliers = of.gram.solve(Vector(d));
  Vector u = of.B * multipliers;
  u.array() /= of.M.vectorD().array().sqrt();
  of.M.matrixU().solveInPlace(u);
  return u;
}

bool is_regular(const SparseMatrix& M, double tol_pivot) {
  InOrder ldlt;
  return factor_with(ldlt, M, tol_pivot);
}

}  // namespace vinculum::numeric
