#pragma once

#include <vector>

#include "vinculum/numeric/sparse_rows.hpp"

namespace vinculum::numeric {

/// The factor R of Aᵀ = Q R for some rows of a sparse A in a fixed order; Q is not stored. Columns of A (speeds) are
/// added one after another by Givens rotations. |R_kk| is the length of row k after subtracting its components along
/// earlier rows, with an error of ε relative to the length of the row. The Cholesky factor of A Aᵀ has the same
/// pattern, but would lose half of the digits. If each column of A has few entries in neighboring rows, the cost per
/// row is constant.
///
/// For each column qₖ of Q only a sketch qₖᵀP is stored: the entries of qₖ with signs, added up into kSketch sums. The
/// matrix P of signs is the same for all k. If A has up to kSketch columns, the sketch is qₖ itself except for signs.
/// If A has more, the cosine between two sketches differs from the cosine between the vectors by about 1/√kSketch.
///
/// Allocates nothing after construction.
/// Source: George & Heath 1980; Heath 1982 for dependent rows; Charikar, Chen & Farach-Colton 2002.
class RowTriangle {
 public:
  static constexpr int kSketch = 16;
  using Sketch = Eigen::Matrix<double, kSketch, 1>;

  /// \param rows  rows of A, in the order of orthogonalization.
  RowTriangle(const SparsePattern& A, const std::vector<int>& rows);

  /// Factors the rows. \param entries  values of the entries of A's pattern.
  void factor(ConstVector entries);
  /// Length of the remainder of row k after subtracting its components along the earlier rows; 0 if nothing remains.
  [[nodiscard]] double length(int k) const { return std::abs(R_[diagonal(k)]); }
  /// Sketch of qₖ, the unit vector along the remainder of row k; 0 if nothing remains.
  [[nodiscard]] Sketch sketch(int k) const;
  /// Removes row k, which depends on earlier rows. Later rows are not orthogonalized against its rounding errors.
  void drop(int k);
  /// y ← R⁻ᵀ y and y ← R⁻¹ y, with R restricted to the rows of A that have a remainder and are not dropped. The entries
  /// of y that belong to other rows become 0.
  void solve_transposed(Vector& y) const;
  void solve(Vector& y) const;
  /// Upper bound of the number of arithmetic operations in `factor`.
  [[nodiscard]] double cost() const { return cost_; }

 private:
  struct Entry {
    int k, at;  ///< index among the chosen rows; position in the entries of A
  };
  void find_patterns(const std::vector<std::vector<Entry>>& columns);
  void join(int k);
  void turn(int k);
  [[nodiscard]] int size() const { return static_cast<int>(parent_.size()); }
  [[nodiscard]] int diagonal(int k) const { return first_[static_cast<std::size_t>(k)]; }

  std::vector<Entry> entries_;      ///< entries of A by columns, which are ordered by their first rows
  std::vector<int> column_begins_;  ///< [columns with entries + 1] first position in `entries_`
  std::vector<int> column_;         ///< [columns with entries] column of A
  std::vector<int> parent_;         ///< [rows] column of the second entry in row k of R, −1 if there is none
  std::vector<int> first_;          ///< [rows + 1] position in `R_` where row k of R begins, with its diagonal entry
  std::vector<int> of_R_;           ///< column of each entry of `R_`, ascending in each row of R
  double cost_ = 0.0;
  Vector R_, joining_;  ///< [entries of R] rows of R, one after the other; [rows] scratch
  Eigen::Matrix<double, kSketch, Eigen::Dynamic> sketches_;  ///< [rows] sketch of each qₖ
  Sketch joining_sketch_;
  std::vector<char> is_placed_;  ///< [rows] whether row k of R has been set
  bool is_left_ = false;         ///< whether `joining_`, the column of A being added, still has nonzero entries
};

}  // namespace vinculum::numeric
