#pragma once

#include <memory>
#include <vector>

#include "vinculum/numeric/sparse_matrix.hpp"

namespace vinculum::numeric {

/// Factorization of constraint rows A of any rank in the metric of M, at a cost proportional to the number of nonzero
/// entries of the factors:
///
///   M = L D Lᵀ in the order of the coordinates,   B = D^(−1/2) L⁻¹ Aᵀ with columns of unit length,   B = Q R, Q not
///   kept
///
/// A row is left out if its remainder, after subtracting the earlier rows, is below the tolerance; the earlier rows
/// must then satisfy its equation. R is computed from B and not from BᵀB, so RᵀR y = d is as accurate as with Q after
/// one correction (corrected seminormal equations). In a chain of bodies the entries of a column of B decay; entries of
/// the size of rounding errors are dropped, because otherwise every row would reach all bodies.
///
/// Solves the same problem as `solve::ConstrainedSolve` with its pivots, for models with large matrices. Differences:
/// rows are taken in a fixed order instead of by the largest remainder, and the multipliers of dependent rows are a
/// basic solution instead of the shortest one. Source: Björck 1987 (corrected seminormal equations), Paige 1973 (for
/// the smallest u); Davis, Direct Methods, §4, §7.
class RankedRows {
 public:
  /// Number of coordinates plus rows from which this class is used; for smaller models the pivoted solver takes a few
  /// milliseconds.
  static constexpr int kFewest = 200;

  RankedRows();
  ~RankedRows();
  RankedRows(RankedRows&&) noexcept;
  RankedRows& operator=(RankedRows&&) noexcept;

  /// Factors M and A.
  /// \param M [nu×nu] symmetric; only its lower triangle is read.   \param At [nu×nc], a column per row of A.
  /// \param certainty  [nc] row weights in (0, 1]: the length that each row gets.
  /// \param tol_rank  smallest remainder of a row of unit length that counts as independent.
  /// \returns whether M is certainly regular (every pivot is at least kWeakMass of its diagonal entry) and all is
  /// finite.
  [[nodiscard]] bool factor(const SparseMatrix& M, const SparseMatrix& At, ConstVector certainty, double tol_rank);
  [[nodiscard]] int rank() const;
  [[nodiscard]] bool is_kept(int row) const;
  /// Factor that gives the row of A D^(−1/2) L⁻¹ its weight as length; 0 if the row has no effect.
  [[nodiscard]] double scale(int row) const;
  /// Smallest over largest remainder of the rows that are kept; 1 without rows.
  [[nodiscard]] double conditioning() const;

  /// The u with A u = d for the rows that are kept and the least uᵀ M u.   \pre factored.   \param d [nc].   \returns
  /// [nu]
  [[nodiscard]] Vector least(ConstVector d) const;
  /// Solves M u = r_f + Aᵀ λ, A u = r_b.   \pre factored.   \param lambda  [nc] 0 for rows that are left out.
  void solve(ConstVector r_f, ConstVector r_b, Vector& u, Vector& lambda) const;

 private:
  struct Factors;
  void add_reaction(ConstVector missed, Vector& u, Vector& lambda) const;
  std::unique_ptr<Factors> factors_;
};

/// Whether every pivot in the elimination of a symmetric M, in the given order, is at least tol_pivot times its
/// diagonal entry.
[[nodiscard]] bool is_regular(const SparseMatrix& M, double tol_pivot);

}  // namespace vinculum::numeric
