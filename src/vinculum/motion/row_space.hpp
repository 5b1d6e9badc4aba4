#pragma once

#include <optional>
#include <vector>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/numeric/row_triangle.hpp"

namespace vinculum::sim {

/// Independent rows of a constraint Jacobian in a fixed order, each freed from its part along the rows before it. A row
/// freed in this way passes through zero exactly where the rows lose rank; its own length passes through zero where the
/// row's gradient vanishes. Lengths are in typical speeds: columns weighted by their scale.
class RowSpace {
 public:
  /// Chooses independent rows of A and keeps them in the order of A: along a mechanism as it is stated a row shares
  /// speeds with few before it. Where each row either is clearly independent of those before it or clearly depends on
  /// them, those that do not are taken; else the most independent first.
  /// \param weight  [nu]
  /// \param tol_rank  of what is left of a row of unit length.
  RowSpace(const numeric::SparseRows& A, const Vector& weight, double tol_rank = tolerance::kAtStates);

  [[nodiscard]] const std::vector<int>& rows() const { return rows_; }
  [[nodiscard]] int rank() const { return static_cast<int>(rows_.size()); }

  /// The chosen rows of A, weighted, and freed from the rows before.
  struct Freed {
    Vector own_length;  ///< [rank] of the weighted row
    Vector length;      ///< [rank] of what is left of it
    /// [rank] columns in the direction of what is left: that itself, or a sketch of it (numeric::RowTriangle) where
    /// rows and speeds are so many that the rest of them is not worth knowing.
    Matrix direction;
    Vector direction_length;  ///< [rank]
  };
  void free_rows(const numeric::SparseRows& A, Freed& freed);
  /// Between what is left of row k at two states; −1 where nothing is.
  [[nodiscard]] static double cosine(const Freed& a, const Freed& b, Eigen::Index k);

 private:
  [[nodiscard]] bool choose_in_order(const numeric::SparseRows& A, double tol_rank);
  void choose_greedily(const numeric::SparseRows& A, double tol_rank);
  void free_one_by_one(const numeric::SparseRows& A, Freed& freed) const;

  Vector weight_;
  std::vector<int> rows_;
  std::optional<numeric::RowTriangle> triangle_;  ///< where it is cheaper than rows one by one
  Vector weighted_;                               ///< entries of A
};

/// Rank of A, rows in their order, each of unit length: one of which less than tol_rank is left counts for nothing.
[[nodiscard]] int rank_in_order(const numeric::SparseRows& A, const Vector& weight, double tol_rank);

/// The other rows that row k of A is a sum of, by the sum of least squares; none of which a thousandth or less of it is
/// made. Those of A that are 0 are none.   \param weight [nu]   \returns nothing where it is no sum of others.
[[nodiscard]] std::vector<int> rows_that_make(const Matrix& A, const Vector& weight, int k);

}  // namespace vinculum::sim
