#pragma once

#include <optional>
#include <vector>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/numeric/row_triangle.hpp"

namespace vinculum::sim {

/// Independent rows of a constraint Jacobian in a fixed order, each orthogonalized against the rows before it. The
/// remainder of a row is zero exactly where the rows lose rank; its own length is zero where its gradient vanishes.
/// Lengths are in units of typical speeds: columns are weighted by their scale.
class RowSpace {
 public:
  /// Chooses independent rows of A and keeps them in the order of A, since along a mechanism as stated a row shares
  /// speeds with few rows before it. If each row is either clearly independent of those before it or clearly dependent
  /// on them, the independent ones are taken. Otherwise rows are chosen greedily, the most independent first.
  /// \param weight  [nu] typical size of each speed
  /// \param tol_rank  smallest remainder of an independent row, for rows of unit length
  RowSpace(const numeric::SparseRows& A, const Vector& weight, double tol_rank = tolerance::kAtStates);

  [[nodiscard]] const std::vector<int>& rows() const { return rows_; }
  [[nodiscard]] int rank() const { return static_cast<int>(rows_.size()); }

  /// The chosen rows of A, weighted and orthogonalized.
  struct Freed {
    Vector own_length;  ///< [rank] length of the weighted row
    Vector length;      ///< [rank] length of its remainder
    /// [rank] columns in the direction of the remainder. The column is the remainder itself or, for large models, a
    /// sketch of it (numeric::RowTriangle), because computing all remainders would cost too much.
    Matrix direction;
    Vector direction_length;  ///< [rank] length of the column
  };
  void free_rows(const numeric::SparseRows& A, Freed& freed);
  /// Cosine between the remainders of row k at two states; −1 if one of them is zero.
  [[nodiscard]] static double cosine(const Freed& a, const Freed& b, Eigen::Index k);

 private:
  [[nodiscard]] bool choose_in_order(const numeric::SparseRows& A, double tol_rank);
  void choose_greedily(const numeric::SparseRows& A, double tol_rank);
  void free_one_by_one(const numeric::SparseRows& A, Freed& freed) const;

  Vector weight_;
  std::vector<int> rows_;
  std::optional<numeric::RowTriangle> triangle_;  ///< set if it is cheaper than orthogonalizing row by row
  Vector weighted_;                               ///< weighted entries of A
};

/// Rank of A, with rows of unit length taken in their order. A row whose remainder is at most tol_rank does not count.
[[nodiscard]] int rank_in_order(const numeric::SparseRows& A, const Vector& weight, double tol_rank);

/// The other rows whose linear combination is row k of A, by least squares. Rows with a coefficient of a thousandth or
/// less are left out, and so are zero rows.
/// \param weight [nu] typical size of each speed
/// \returns empty if row k is not a combination of the others.
[[nodiscard]] std::vector<int> rows_that_make(const Matrix& A, const Vector& weight, int k);

}  // namespace vinculum::sim
