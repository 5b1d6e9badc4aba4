#pragma once

#include <memory>
#include <vector>

#include "vinculum/numeric/sparse_matrix.hpp"

namespace vinculum::numeric {

/// Rows A in the metric of M, of any rank, at a price that goes with their entries:
///
///   M = L D Lᵀ in the order of the coordinates,   B = D^(−1/2) L⁻¹ Aᵀ with columns of unit length,   B = Q R, Q not
///   kept
///
/// A row of which next to nothing is left behind those before it is left out: what it asks for they have to give. With
/// R from B itself and not from BᵀB, RᵀR y = d serves as well as Q would, and is corrected once (the corrected
/// seminormal equations). Entries of a column of B fade along a chain of bodies with a common inertia: those that are
/// rounding of the column's largest are not kept, or a row would reach all bodies.
///
/// What `solve::ConstrainedSolve` finds by pivots, for models whose matrices would be large: rows are judged one
/// after the other and not by the largest that is left, multipliers of rows that depend on each other are a basic
/// solution and not the shortest. Source: Björck 1987 (corrected seminormal equations), Paige 1973 (for the smallest
/// u); Davis, Direct Methods, §4, §7.
class RankedRows {
 public:
  /// Coordinates and rows together from which it is asked: of fewer the pivoted solver takes a few milliseconds.
  static constexpr int kFewest = 200;

  RankedRows();
  ~RankedRows();
  RankedRows(RankedRows&&) noexcept;
  RankedRows& operator=(RankedRows&&) noexcept;

  /// \param M [nu×nu] symmetric, its lower triangle is read.   \param At [nu×nc], a column for each row.
  /// \param certainty  [nc] what rows count for beside others of unit length, in (0, 1].
  /// \param tol_rank  of a row of unit length.
  /// \returns whether M is regular beyond doubt (each coordinate keeps kWeakMass of its inertia) and all is finite.
  [[nodiscard]] bool factor(const SparseMatrix& M, const SparseMatrix& At, ConstVector certainty, double tol_rank);
  [[nodiscard]] int rank() const;
  [[nodiscard]] bool is_kept(int row) const;
  /// What makes the row of A D^(−1/2) L⁻¹ as long as it counts; 0 where it acts on nothing.
  [[nodiscard]] double scale(int row) const;
  /// The smallest and the largest that is left of a row that is kept, in ratio; 1 without rows.
  [[nodiscard]] double conditioning() const;

  /// The smallest u, by uᵀ M u, with A u = d for the rows that are kept.   \pre factored.   \param d [nc].   \returns
  /// [nu]
  [[nodiscard]] Vector least(ConstVector d) const;
  /// M u = r_f + Aᵀ λ, A u = r_b.   \pre factored.   \param lambda  [nc] 0 for rows that are left out.
  void solve(ConstVector r_f, ConstVector r_b, Vector& u, Vector& lambda) const;

 private:
  struct Factors;
  void add_reaction(ConstVector missed, Vector& u, Vector& lambda) const;
  std::unique_ptr<Factors> factors_;
};

/// Whether each coordinate keeps this share of its diagonal entry in the elimination of a symmetric M in their order.
[[nodiscard]] bool is_regular(const SparseMatrix& M, double tol_pivot);

}  // namespace vinculum::numeric
