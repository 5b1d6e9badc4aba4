#pragma once

#include <cstdint>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::sim {

/// Independent rows of a constraint Jacobian in a fixed order, each freed from its part along the rows before it. A row
/// freed in this way passes through zero exactly where the rows lose rank; its own length passes through zero where the
/// row's gradient vanishes. Lengths are in typical speeds: columns weighted by their scale.
class RowSpace {
 public:
  /// Chooses independent rows of A, most independent first, and keeps them in the order of A: along a mechanism as it
  /// is stated a row shares speeds with few before it, so that freeing all takes the square of their number.
  /// \param weight  [nu]
  /// \param tol_rank  of what is left of a row of unit length.
  RowSpace(const Matrix& A, const Vector& weight, double tol_rank = tolerance::kAtStates);

  [[nodiscard]] const std::vector<int>& rows() const { return rows_; }
  [[nodiscard]] int rank() const { return static_cast<int>(rows_.size()); }

  /// The chosen rows of A, weighted, and freed from the rows before.
  struct Freed {
    Matrix rows;        ///< [nu × rank] columns
    Vector own_length;  ///< [rank] of the weighted row
    Vector length;      ///< [rank] of what is left of it
    /// [words × rank] bits of the speeds that a freed row may move: rows that share none are orthogonal as they stand.
    std::vector<std::uint64_t> support;
  };
  void free_rows(const Matrix& A, Freed& freed) const;

 private:
  void free_from_before(Eigen::Index k, std::uint64_t* own, Freed& freed) const;

  Vector weight_;
  std::vector<int> rows_;
};

/// The other rows that row k of A is a sum of, by the sum of least squares; none of which a thousandth or less of it is
/// made. Those of A that are 0 are none.   \param weight [nu]   \returns nothing where it is no sum of others.
[[nodiscard]] std::vector<int> rows_that_make(const Matrix& A, const Vector& weight, int k);

}  // namespace vinculum::sim
