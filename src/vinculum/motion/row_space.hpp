#pragma once

#include <optional>
#include <vector>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/numeric/row_triangle.hpp"

namespace vinculum::sim {

/// Chooses independent rows of a constraint Jacobian A in a fixed order, and orthogonalizes each against the rows
/// before it. The remainder of a row is zero exactly where the rows lose rank; the row itself is zero where its
/// gradient vanishes. Columns of A are multiplied by the typical sizes of the speeds before lengths are computed.
class RowSpace {
 public:
  /// Chooses independent rows of A and keeps them in the order of A, because in that order a row usually shares speeds
  /// with few earlier rows. If each row is either clearly independent of the earlier rows or clearly dependent on them,
  /// the independent rows are chosen. Otherwise rows are chosen greedily: next the row with the longest remainder.
  /// \param weight  [nu] typical size of each speed
  /// \param tol_rank  a row of unit length is independent if its remainder is longer than this
  RowSpace(const numeric::SparseRows& A, const Vector& weight, double tol_rank = tolerance::kAtStates);

  [[nodiscard]] const std::vector<int>& rows() const { return rows_; }
  [[nodiscard]] int rank() const { return static_cast<int>(rows_.size()); }

  /// The chosen rows of A, multiplied by the typical sizes of the speeds and orthogonalized.
  struct Freed {
    Vector own_length;  ///< [rank] length of the weighted row
    Vector length;      ///< [rank] length of its remainder
    /// [… × rank] Column k is the remainder of row k or, for large models, a short sketch of the remainder
    /// (numeric::RowTriangle), because computing all remainders would be too slow.
    Matrix direction;
    Vector direction_length;  ///< [rank] length of each column of `direction`
  };
  void free_rows(const numeric::SparseRows& A, Freed& freed);
  /// Returns the cosine of the angle between the remainders of row k at two states; −1 if one of the remainders is
  /// zero.
  [[nodiscard]] static double cosine(const Freed& a, const Freed& b, Eigen::Index k);

 private:
  [[nodiscard]] bool choose_in_order(const numeric::SparseRows& A, double tol_rank);
  void choose_greedily(const numeric::SparseRows& A, double tol_rank);
  void free_one_by_one(const numeric::SparseRows& A, Freed& freed) const;

  Vector weight_;
  std::vector<int> rows_;
  std::optional<numeric::RowTriangle> triangle_;  ///< set if it is cheaper than orthogonalizing row by row
  Vector weighted_;                               ///< scratch: entries of A times the typical sizes of their speeds
};

/// Computes the rank of A. Rows are scaled to unit length and orthogonalized in their order; a row does not count if
/// the length of its remainder is at most tol_rank.
[[nodiscard]] int rank_in_order(const numeric::SparseRows& A, const Vector& weight, double tol_rank);

/// Expresses row k of A as a linear combination of the other rows, by least squares, and returns the indices of the
/// rows it needs. Zero rows are left out, and so are rows with a coefficient of at most a thousandth (of rows of unit
/// length).
/// \param weight [nu] typical size of each speed
/// \returns empty if row k is not a combination of the others.
[[nodiscard]] std::vector<int> rows_that_make(const Matrix& A, const Vector& weight, int k);

}  // namespace vinculum::sim
