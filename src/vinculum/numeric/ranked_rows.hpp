#pragma once

#include <memory>
#include <vector>

#include "vinculum/numeric/sparse_matrix.hpp"

namespace vinculum::numeric {

/// Factorization of constraint rows A of any rank in the metric of M, at a cost proportional to the number of nonzero
/// entries of the factors:
///
///   M = L D Lᵀ in the order of the coordinates,   B = D^(−1/2) L⁻¹ Aᵀ with columns of unit length,   B = Q R
///
/// Q is not stored. A row is left out if the length of its remainder, after subtracting its components along earlier
/// rows, is below the tolerance. Its equation must then follow from those of the earlier rows. R is computed from B and
/// not from BᵀB, so RᵀR y = d is as accurate after one correction as a solution with Q (corrected seminormal
/// equations). In a chain of bodies the entries of a column of B decay. Entries as small as rounding errors are
/// dropped, because otherwise every column would have entries for all bodies.
///
/// Solves the same problem as `solve::ConstrainedSolve`, for models with large matrices. Differences: rows are taken in
/// a fixed order instead of by the largest remainder. If rows are dependent, the multipliers of left-out rows are 0,
/// instead of all multipliers having the least norm. Source: Björck 1987 (corrected seminormal equations), Paige 1973
/// (for the smallest u); Davis, Direct Methods, §4, §7.
class RankedRows {
 public:
  /// This class is used if the number of coordinates plus rows is at least this. For smaller models the pivoted solver
  /// takes at most a few milliseconds.
  static constexpr int kFewest = 200;

  RankedRows();
  ~RankedRows();
  RankedRows(RankedRows&&) noexcept;
  RankedRows& operator=(RankedRows&&) noexcept;

  /// Factors M and A.
  /// \param M [nu×nu] symmetric; only its lower triangle is read.   \param At [nu×nc], a column per row of A.
  /// \param certainty  [nc] row weights in (0, 1]: the length to which each column of B is scaled.
  /// \param tol_rank  a row is independent if the length of its remainder exceeds this.
  /// \returns whether every pivot of M is larger than kWeakMass × its diagonal entry, and all numbers are finite.
  [[nodiscard]] bool factor(const SparseMatrix& M, const SparseMatrix& At, ConstVector certainty, double tol_rank);
  [[nodiscard]] int rank() const;
  [[nodiscard]] bool is_kept(int row) const;
  /// Factor by which the column of D^(−1/2) L⁻¹ Aᵀ that belongs to `row` was scaled; 0 if that column is 0.
  [[nodiscard]] double scale(int row) const;
  /// Smallest length of a remainder among the rows that are kept, divided by the largest; 1 without rows.
  [[nodiscard]] double conditioning() const;

  /// \returns [nu] the u with the least uᵀ M u among those with A u = d for the rows that are kept.   \pre factored.
  /// \param d [nc]
  [[nodiscard]] Vector least(ConstVector d) const;
  /// Solves M u = r_f + Aᵀ λ, A u = r_b.   \pre factored.   \param lambda  [nc] 0 for rows that are left out.
  void solve(ConstVector r_f, ConstVector r_b, Vector& u, Vector& lambda) const;

 private:
  struct Factors;
  void add_reaction(ConstVector missed, Vector& u, Vector& lambda) const;
  std::unique_ptr<Factors> factors_;
};

/// Whether every pivot in the elimination of a symmetric M, in the given order, is at least `tol_pivot` times its
/// diagonal entry.
[[nodiscard]] bool is_regular(const SparseMatrix& M, double tol_pivot);

}  // namespace vinculum::numeric
