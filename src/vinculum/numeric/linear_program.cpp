#include "vinculum/numeric/linear_program.hpp"

#include <cmath>
#include <vector>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::numeric {
namespace {

constexpr int kMostGreedyPivots = 100;  // by the largest coefficient; Bland's rule afterwards

/// basic_i = D(i, 0) + Σ_j D(i, j) nonbasic_j; the objective is the last row. Unknowns 0 … n−1 are y, then the slacks
/// of the rows, then the auxiliary unknown.
class SimplexDictionary {
 public:
  SimplexDictionary(ConstMatrix A, ConstVector b, ConstVector c)
      : m_(static_cast<int>(A.rows())), n_(static_cast<int>(A.cols())), D_(m_ + 1, n_ + 1), c_(c) {
    D_.block(0, 0, m_, 1) = b;
    D_.block(0, 1, m_, n_) = -A;
    D_(m_, 0) = 0.0;
    D_.block(m_, 1, 1, n_) = c.transpose();
    for (int j = 0; j < n_; ++j) nonbasic_.push_back(j);
    for (int i = 0; i < m_; ++i) basic_.push_back(n_ + i);
    is_fixed_.assign(static_cast<std::size_t>(n_), 0);
  }

  LinearOptimum solve() {
    for (int y = 0; y < n_; ++y) free(y);
    if (!find_vertex()) return {LinearOptimum::Kind::kInfeasible, {}, 0.0};
    for (int j = 0; j < n_; ++j)
      if (nth(is_fixed_, j) != 0 && std::abs(D_(m_, 1 + j)) > tolerance::kZero)
        return {LinearOptimum::Kind::kUnbounded, {}, 0.0};
    if (!improve()) return {LinearOptimum::Kind::kUnbounded, {}, 0.0};
    LinearOptimum found{LinearOptimum::Kind::kFound, Vector::Zero(n_), D_(m_, 0)};
    for (int i = 0; i < m_; ++i)
      if (nth(basic_, i) < n_) found.y[nth(basic_, i)] = D_(i, 0);
    found.value = c_.dot(found.y);
    return found;
  }

 private:
  [[nodiscard]] bool is_restricted(int i) const { return nth(basic_, i) >= n_; }

  void pivot(int row, int column) {
    const int j = 1 + column;
    const double inverse = 1.0 / D_(row, j);
    D_.row(row) *= -inverse;
    D_(row, j) = inverse;
    for (int i = 0; i <= m_; ++i) {
      if (i == row || D_(i, j) == 0.0) continue;
      const double factor = D_(i, j);
      D_(i, j) = 0.0;
      D_.row(i) += factor * D_.row(row);
    }
    std::swap(nth(basic_, row), nth(nonbasic_, column));
  }

  /// Brings y into the basis, where it has any sign; one that is in no row stays 0.
  void free(int y) {
    int row = -1;
    double largest = tolerance::kZero;
    for (int i = 0; i < m_; ++i) {
      if (!is_restricted(i) || !(std::abs(D_(i, 1 + y)) > largest)) continue;
      largest = std::abs(D_(i, 1 + y));
      row = i;
    }
    if (row >= 0)
      pivot(row, y);
    else
      nth(is_fixed_, y) = 1;
  }

  /// Column that raises the objective; −1: none does.
  [[nodiscard]] int entering(bool by_order) const {
    int column = -1;
    for (int j = 0; j < static_cast<int>(nonbasic_.size()); ++j) {
      if (nth(is_fixed_, j) != 0 || !(D_(m_, 1 + j) > tolerance::kZero)) continue;
      const bool is_better =
          column < 0 || (by_order ? nth(nonbasic_, j) < nth(nonbasic_, column) : D_(m_, 1 + j) > D_(m_, 1 + column));
      if (is_better) column = j;
    }
    return column;
  }

  /// Row that limits an entering column; −1: none does.
  [[nodiscard]] int leaving(int column) const {
    int row = -1;
    double least = 0.0;
    for (int i = 0; i < m_; ++i) {
      const double slope = D_(i, 1 + column);
      if (!is_restricted(i) || !(slope < -tolerance::kZero)) continue;
      const double length = std::max(D_(i, 0), 0.0) / -slope;
      const bool is_better = row < 0 || length < least || (length == least && nth(basic_, i) < nth(basic_, row));
      if (!is_better) continue;
      row = i;
      least = length;
    }
    return row;
  }

  /// \returns false where the objective has no bound.
  bool improve() {
    for (int count = 0;; ++count) {
      const int column = entering(count >= kMostGreedyPivots);
      if (column < 0) return true;
      const int row = leaving(column);
      if (row < 0) return false;
      pivot(row, column);
    }
  }

  /// A vertex at which no slack is negative, by the auxiliary unknown that is added to all of them.
  bool find_vertex() {
    int worst = -1;
    for (int i = 0; i < m_; ++i)
      if (is_restricted(i) && D_(i, 0) < 0.0 && (worst < 0 || D_(i, 0) < D_(worst, 0))) worst = i;
    if (worst < 0) return true;
    const int auxiliary = n_ + m_, column = n_;
    D_.conservativeResize(Eigen::NoChange, n_ + 2);
    for (int i = 0; i < m_; ++i) D_(i, n_ + 1) = is_restricted(i) ? 1.0 : 0.0;
    D_.row(m_).setZero();
    D_(m_, n_ + 1) = -1.0;
    nonbasic_.push_back(auxiliary);
    is_fixed_.push_back(0);
    pivot(worst, column);
    (void)improve();  // bounded by 0
    const double left = -D_(m_, 0);
    int at = 0;
    while (at <= n_ && nth(nonbasic_, at) != auxiliary) ++at;
    if (at > n_) {  // still basic: it leaves where it is zero, by the largest entry
      int row = 0;
      while (nth(basic_, row) != auxiliary) ++row;
      at = 0;
      for (int j = 1; j <= n_; ++j)
        if (std::abs(D_(row, 1 + j)) > std::abs(D_(row, 1 + at))) at = j;
      if (left <= tolerance::kZero) pivot(row, at);
    }
    if (left > tolerance::kZero) return false;
    drop(at);
    write_objective();
    return true;
  }

  void drop(int column) {
    const int last = n_;
    D_.col(1 + column) = D_.col(1 + last);
    nth(nonbasic_, column) = nth(nonbasic_, last);
    nth(is_fixed_, column) = nth(is_fixed_, last);
    nonbasic_.pop_back();
    is_fixed_.pop_back();
    D_.conservativeResize(Eigen::NoChange, n_ + 1);
  }

  /// The objective in the unknowns that are now nonbasic: c·y.
  void write_objective() {
    D_.row(m_).setZero();
    for (int i = 0; i < m_; ++i)
      if (!is_restricted(i)) D_.row(m_) += c_[nth(basic_, i)] * D_.row(i);
    for (int j = 0; j < n_; ++j)
      if (nth(nonbasic_, j) < n_) D_(m_, 1 + j) += c_[nth(nonbasic_, j)];
  }

  int m_, n_;
  Matrix D_;
  Vector c_;
  std::vector<int> basic_, nonbasic_;
  std::vector<char> is_fixed_;  // [columns] unknowns that are in no row
};

}  // namespace

LinearOptimum maximize(ConstMatrix A, ConstVector b, ConstVector c) {
  VINCULUM_EXPECTS(A.rows() == b.size() && A.cols() == c.size());
  return SimplexDictionary(A, b, c).solve();
}

}  // namespace vinculum::numeric
