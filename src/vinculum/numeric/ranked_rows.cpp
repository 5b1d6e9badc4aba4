#include "vinculum/numeric/ranked_rows.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/numeric/row_triangle.hpp"

namespace vinculum::numeric {
namespace {

using InOrder = Eigen::SimplicialLDLT<SparseMatrix, Eigen::Lower, Eigen::NaturalOrdering<int>>;

constexpr int kCorrections = 2;
// An entry of a column below this fraction of the largest entry before it is dropped.
constexpr double kFaded = tolerance::kFloor * tolerance::kRounding;

/// Factors S. \returns whether all pivots are larger than `tol_pivot` times their diagonal entries; false also for NaN.
bool factor_with(InOrder& ldlt, const SparseMatrix& S, double tol_pivot) {
  ldlt.compute(S);
  if (ldlt.info() != Eigen::Success) return false;
  const Vector before = S.diagonal(), pivots = ldlt.vectorD();
  for (Eigen::Index k = 0; k < pivots.size(); ++k) {
    if (!(pivots[k] > 0.0 && pivots[k] > tol_pivot * before[k]) || !std::isfinite(pivots[k])) return false;
  }
  return true;
}

/// Column j of D^(−1/2) L⁻¹ X without its negligible entries (kFaded), by row. \param root  √D
void over_root(const InOrder& M, const Vector& root, const SparseMatrix& X, int j, std::map<int, double>& column) {
  const auto& L = M.matrixL().nestedExpression();
  column.clear();
  for (SparseMatrix::InnerIterator x(X, j); x; ++x) column[static_cast<int>(x.row())] = x.value();
  double largest = 0.0;
  for (auto entry = column.begin(); entry != column.end();) {
    const auto& [i, value] = *entry;
    const double size = std::abs(value) / root[i];
    largest = std::max(largest, size);
    if (size <= kFaded * largest) {
      entry = column.erase(entry);
      continue;
    }
    for (SparseMatrix::InnerIterator below(L, i); below; ++below) {
      if (below.row() > i) column[static_cast<int>(below.row())] -= below.value() * value;
    }
    ++entry;
  }
  for (auto& [i, value] : column) value /= root[i];
}

}  // namespace

struct RankedRows::Factors {
  InOrder M;
  SparseMatrix At;
  Vector root;             ///< [nu] √D
  SparsePattern pattern;   ///< pattern of Bᵀ
  SparseRows Bt;           ///< Bᵀ; each row is scaled to the length `certainty`
  Vector scale;            ///< [nc] lengths of the columns of B divided by those of D^(−1/2) L⁻¹ Aᵀ; 0 for columns of
                           ///< zeros
  std::vector<int> order;  ///< [nc] order of orthogonalization
  std::optional<RowTriangle> R;
  std::vector<char> is_kept;
  int rank = 0;
  double conditioning = 1.0;
};

RankedRows::RankedRows() : factors_(std::make_unique<Factors>()) {}
RankedRows::~RankedRows() = default;
RankedRows::RankedRows(RankedRows&&) noexcept = default;
RankedRows& RankedRows::operator=(RankedRows&&) noexcept = default;

bool RankedRows::factor(const SparseMatrix& M, const SparseMatrix& At, ConstVector certainty, double tol_rank) {
  Factors& of = *factors_;
  const int nc = static_cast<int>(At.cols());
  if (!factor_with(of.M, M, tolerance::kWeakMass)) return false;
  of.At = At;
  of.root = of.M.vectorD().cwiseSqrt();
  of.pattern = {};
  of.pattern.columns = static_cast<int>(At.rows());
  of.scale.setZero(nc);
  std::vector<double> values;
  std::map<int, double> column;
  for (int i = 0; i < nc; ++i) {
    over_root(of.M, of.root, At, i, column);
    double length2 = 0.0;
    for (const auto& [j, value] : column) length2 += value * value;
    if (!std::isfinite(length2)) return false;
    if (length2 > 0.0) of.scale[i] = certainty[i] / std::sqrt(length2);
    for (const auto& [j, value] : column) {
      of.pattern.column.push_back(j);
      values.push_back(of.scale[i] * value);
    }
    of.pattern.end_row();
  }
  // Rows that begin with neighboring coordinates have entries in the same columns. If such rows are adjacent, R has few
  // entries.
  of.order.resize(static_cast<std::size_t>(nc));
  std::iota(of.order.begin(), of.order.end(), 0);
  const auto first_column = [&](int row) {
    return of.pattern.begin(row) < of.pattern.end(row) ? of.pattern.column_of(of.pattern.begin(row)) : -1;
  };
  std::ranges::stable_sort(of.order, {}, first_column);
  of.Bt = {&of.pattern, Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()))};
  of.R.emplace(of.pattern, of.order);
  of.R->factor(of.Bt.values);
  of.is_kept.assign(of.order.size(), 1);
  of.rank = nc;
  double least = 1.0, largest = 0.0;
  for (int k = 0; k < nc; ++k) {
    const double left = of.R->length(k);
    if (left > tol_rank) {
      least = std::min(least, left);
      largest = std::max(largest, left);
      continue;
    }
    of.R->drop(k);
    nth(of.is_kept, nth(of.order, k)) = 0;
    --of.rank;
  }
  of.conditioning = largest > 0.0 ? least / largest : 1.0;
  return true;
}

int RankedRows::rank() const { return factors_->rank; }
bool RankedRows::is_kept(int row) const { return nth(factors_->is_kept, row) != 0; }
double RankedRows::scale(int row) const { return factors_->scale[row]; }
double RankedRows::conditioning() const { return factors_->conditioning; }

/// Adds to u and λ the reaction of the rows that removes their residual `missed` = r_b − A u.
void RankedRows::add_reaction(ConstVector missed, Vector& u, Vector& lambda) const {
  const Factors& of = *factors_;
  Vector y(missed.size());
  for (std::size_t k = 0; k < of.order.size(); ++k) nth(y, k) = of.scale[of.order[k]] * missed[of.order[k]];
  of.R->solve_transposed(y);
  of.R->solve(y);
  Vector x = Vector::Zero(u.size());
  for (std::size_t k = 0; k < of.order.size(); ++k) {
    const int i = of.order[k];
    lambda[i] += of.scale[i] * nth(y, k);
    for (int at = of.pattern.begin(i); at < of.pattern.end(i); ++at)
      x[of.pattern.column_of(at)] += of.Bt.values[at] * nth(y, k);
  }
  x.array() /= of.root.array();
  of.M.matrixU().solveInPlace(x);
  u += x;
}

void RankedRows::solve(ConstVector r_f, ConstVector r_b, Vector& u, Vector& lambda) const {
  const Factors& of = *factors_;
  u = of.M.solve(Vector(r_f));
  lambda.setZero(of.At.cols());
  if (of.rank == 0) return;
  for (int k = 0; k <= kCorrections; ++k) {
    const Vector missed = r_b - of.At.transpose() * u;
    add_reaction(missed, u, lambda);
  }
}

Vector RankedRows::least(ConstVector d) const {
  Vector u, lambda;
  solve(Vector::Zero(factors_->At.rows()), d, u, lambda);
  return u;
}

bool is_regular(const SparseMatrix& M, double tol_pivot) {
  InOrder ldlt;
  return factor_with(ldlt, M, tol_pivot);
}

}  // namespace vinculum::numeric
