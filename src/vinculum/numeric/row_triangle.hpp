#pragma once

#include <vector>

#include "vinculum/numeric/sparse_rows.hpp"

namespace vinculum::numeric {

/// R of Aᵀ = Q R for some rows of a sparse A in a fixed order, without Q: columns of A (speeds) are turned into it one
/// after the other by Givens rotations. |R_kk| is what is left of row k beside the rows before it, to rounding of its
/// length and not to half of its digits as in the factor of A Aᵀ, whose pattern it has. Where columns meet few rows
/// each, and these are near each other, it costs as much a row however many there are.
///
/// Of Q a sketch is kept, qₖᵀP: entries of qₖ with signs in kSketch sums, P the same for all rows. Up to kSketch
/// columns it is qₖ itself but for signs; of longer ones cosines between sketches are those of the vectors within
/// about 1/√kSketch.
/// After construction nothing allocates.
/// Source: George & Heath 1980; Heath 1982 for rows that depend on others; Charikar, Chen & Farach-Colton 2002.
class RowTriangle {
 public:
  static constexpr int kSketch = 16;
  using Sketch = Eigen::Matrix<double, kSketch, 1>;

  /// \param rows  of A, in the order in which each is freed from those before.
  RowTriangle(const SparsePattern& A, const std::vector<int>& rows);

  /// \param entries  of A's pattern.
  void factor(ConstVector entries);
  /// What is left of row k beside the rows before it; 0 where nothing is.
  [[nodiscard]] double length(int k) const { return std::abs(R_[diagonal(k)]); }
  /// In the direction of what is left; 0 where nothing is.
  [[nodiscard]] Sketch sketch(int k) const;
  /// Takes row k out, which depends on those before it: rows behind are not freed from what rounding has left of it.
  void drop(int k);
  /// y ← R⁻ᵀ y and R⁻¹ y over the rows that are not dropped and of which something is left; 0 of the others.
  void solve_transposed(Vector& y) const;
  void solve(Vector& y) const;
  /// A bound for `factor`, in operations.
  [[nodiscard]] double cost() const { return cost_; }

 private:
  struct Entry {
    int k, at;  ///< of a chosen row; in A's entries
  };
  void find_patterns(const std::vector<std::vector<Entry>>& columns);
  void join(int k);
  void turn(int k);
  [[nodiscard]] int size() const { return static_cast<int>(parent_.size()); }
  [[nodiscard]] int diagonal(int k) const { return first_[static_cast<std::size_t>(k)]; }

  std::vector<Entry> entries_;      ///< column by column of A, those that begin with the first rows first
  std::vector<int> column_begins_;  ///< [columns with entries + 1] in `entries_`
  std::vector<int> column_;         ///< [those] of A
  std::vector<int> parent_;         ///< [rows] the next row that R_k meets, −1 where none
  std::vector<int> first_;          ///< [rows + 1] where R_k begins, with its diagonal entry
  std::vector<int> of_R_;           ///< row behind each entry of R, ascending in each R_k
  double cost_ = 0.0;
  Vector R_, joining_;                                       ///< [entries of R], [rows]
  Eigen::Matrix<double, kSketch, Eigen::Dynamic> sketches_;  ///< [rows]
  Sketch joining_sketch_;
  std::vector<char> is_placed_;  ///< [rows] whether R_k holds anything
  bool is_left_ = false;         ///< something to join
};

}  // namespace vinculum::numeric
