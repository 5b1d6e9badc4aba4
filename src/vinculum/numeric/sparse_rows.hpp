#pragma once

#include <cmath>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::numeric {

/// Positions of the entries of a matrix that may be nonzero, row by row.
struct SparsePattern {
  int columns = 0;
  std::vector<int> first{0};  ///< [rows + 1] position in `column` where a row begins
  std::vector<int> column;    ///< columns of the entries, ascending in a row

  [[nodiscard]] int rows() const { return static_cast<int>(first.size()) - 1; }
  [[nodiscard]] int begin(int row) const { return first[static_cast<std::size_t>(row)]; }
  [[nodiscard]] int end(int row) const { return first[static_cast<std::size_t>(row) + 1]; }
  [[nodiscard]] int column_of(int entry) const { return column[static_cast<std::size_t>(entry)]; }
  void end_row() { first.push_back(static_cast<int>(column.size())); }
};

/// A sparse matrix stored by rows; several matrices may share a pattern.
struct SparseRows {
  const SparsePattern* pattern = nullptr;
  Vector values;  ///< [pattern->column.size()] values of the entries

  [[nodiscard]] auto row(int i) const { return values.segment(pattern->begin(i), pattern->end(i) - pattern->begin(i)); }
  [[nodiscard]] auto row(int i) { return values.segment(pattern->begin(i), pattern->end(i) - pattern->begin(i)); }
  /// Σ_j |entry (i, j)| × `sizes[j]`, added in the order of columns.
  [[nodiscard]] double absolute_row_sum(int i, ConstVector sizes) const {
    double sum = 0.0;
    for (int at = pattern->begin(i); at < pattern->end(i); ++at)
      sum += std::abs(values[at]) * sizes[pattern->column_of(at)];
    return sum;
  }
  [[nodiscard]] Matrix dense() const {
    Matrix A = Matrix::Zero(pattern->rows(), pattern->columns);
    for (int i = 0; i < pattern->rows(); ++i)
      for (int at = pattern->begin(i); at < pattern->end(i); ++at) A(i, pattern->column_of(at)) = values[at];
    return A;
  }
};

}  // namespace vinculum::numeric
