#include "vinculum/equations/rate_solver.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/derivative.hpp"

namespace vinculum::equations {
namespace {

using expr::Expr;

/// Eliminates on the matrix [left | right] until left is a permuted identity; right is then the inverse. The values of
/// each entry of left at the sampled states are stored with the entry.
class Elimination {
 public:
  Elimination(const ExprMatrix& matrix, std::span<const Expr> variables, const Sampler& sampler)
      : n_(matrix.size()), left_(matrix), variables_(variables), sampler_(sampler) {
    expr::Graph& graph = matrix[0][0].graph();
    zero_ = graph.constant(0.0);
    right_.assign(n_, std::vector<Expr>(n_, zero_));
    for (std::size_t i = 0; i < n_; ++i) right_[i][i] = graph.constant(1.0);
    std::vector<Expr> entries;
    for (const auto& row : matrix) entries.insert(entries.end(), row.begin(), row.end());
    samples_ = sampler.sample(entries);
    row_of_column_.assign(n_, std::nullopt);
    row_is_done_.assign(n_, false);
  }

  std::optional<Failure> run() {
    if (samples_.empty()) return singular(0, "the definitions of the speeds are not finite at any state tried");
    for (std::size_t r = 0; r < n_; ++r) {
      for (std::size_t c = 0; c < n_; ++c) clean(r, c, 1.0);
    }
    while (true) {
      if (const auto dead = find_empty_row())
        return singular(*dead, "the definitions of the speeds depend on each other");
      if (const auto pivot = find_constant_pivot()) {
        eliminate(pivot->first, pivot->second);
      } else if (const auto single = find_single()) {
        eliminate(single->first, single->second);
      } else if (const auto block = find_block()) {
        if (block->rows.size() != block->columns.size()) {
          return singular(block->rows.back(), "the definitions of the speeds depend on each other");
        }
        if (block->rows.size() <= kLargestAdjugate) {
          if (auto failure = eliminate_block(*block)) return failure;
        } else {
          const auto largest = find_largest(*block);
          eliminate(largest.first, largest.second);
        }
      } else {
        return std::nullopt;
      }
    }
  }

  ExprMatrix inverse() const {
    ExprMatrix result;
    for (std::size_t c = 0; c < n_; ++c) result.push_back(right_[*row_of_column_[c]]);
    return result;
  }

 private:
  using Pivot = std::pair<std::size_t, std::size_t>;
  struct Block {
    std::vector<std::size_t> rows, columns;
  };

  double& value(std::size_t state, std::size_t r, std::size_t c) { return samples_[state][r * n_ + c]; }
  bool is_open(std::size_t r, std::size_t c) const { return !row_is_done_[r] && !row_of_column_[c]; }
  bool is_entry(std::size_t r, std::size_t c) const { return !left_[r][c].is_zero(); }

  Failure singular(std::size_t row, std::string message) const {
    Failure failure;
    failure.kind = FailureKind::kSingularKinematics;
    failure.message = std::move(message);
    failure.coordinates = {static_cast<int>(row)};
    return failure;
  }

  /// Replaces an entry by zero if, at all sampled states, it is below tolerance::kIdentity relative to the magnitude
  /// `scale` of the terms that it was computed from.
  void clean(std::size_t r, std::size_t c, double scale) {
    if (!is_entry(r, c) || left_[r][c].is_constant()) return;
    for (std::size_t s = 0; s < samples_.size(); ++s) {
      if (std::fabs(value(s, r, c)) > tolerance::kIdentity * scale) return;
    }
    if (!is_analytic(left_[r][c])) return;
    left_[r][c] = zero_;
    for (std::size_t s = 0; s < samples_.size(); ++s) value(s, r, c) = 0.0;
  }

  std::size_t open_in_row(std::size_t r) const {
    std::size_t count = 0;
    for (std::size_t c = 0; c < n_; ++c) count += is_open(r, c) && is_entry(r, c) ? 1 : 0;
    return count;
  }
  std::size_t open_in_column(std::size_t c) const {
    std::size_t count = 0;
    for (std::size_t r = 0; r < n_; ++r) count += is_open(r, c) && is_entry(r, c) ? 1 : 0;
    return count;
  }

  std::optional<std::size_t> find_empty_row() const {
    for (std::size_t r = 0; r < n_; ++r) {
      if (!row_is_done_[r] && open_in_row(r) == 0) return r;
    }
    return std::nullopt;
  }

  /// Among the pivots that do not depend on `variables`, the one with the least fill-in (Markowitz).
  std::optional<Pivot> find_constant_pivot() const {
    std::optional<Pivot> best;
    std::size_t best_fill = 0;
    for (std::size_t r = 0; r < n_; ++r) {
      for (std::size_t c = 0; c < n_; ++c) {
        if (!is_open(r, c) || !is_entry(r, c) || expr::depends_on(left_[r][c], variables_)) continue;
        const std::size_t fill = (open_in_row(r) - 1) * (open_in_column(c) - 1);
        if (!best || fill < best_fill) {
          best = Pivot{r, c};
          best_fill = fill;
        }
      }
    }
    return best;
  }

  std::optional<Pivot> find_single() const {
    for (std::size_t r = 0; r < n_; ++r) {
      for (std::size_t c = 0; c < n_; ++c) {
        if (is_open(r, c) && is_entry(r, c) && (open_in_row(r) == 1 || open_in_column(c) == 1)) return Pivot{r, c};
      }
    }
    return std::nullopt;
  }

  /// The block of unsolved rows and columns that nonzero entries connect with the first unsolved row.
  std::optional<Block> find_block() const {
    std::size_t first = 0;
    while (first < n_ && row_is_done_[first]) ++first;
    if (first == n_) return std::nullopt;
    std::vector<bool> in_rows(n_, false), in_columns(n_, false);
    in_rows[first] = true;
    for (bool grew = true; grew;) {
      grew = false;
      for (std::size_t r = 0; r < n_; ++r) {
        for (std::size_t c = 0; c < n_; ++c) {
          if (!is_open(r, c) || !is_entry(r, c) || in_rows[r] == in_columns[c]) continue;
          in_rows[r] = in_columns[c] = true;
          grew = true;
        }
      }
    }
    Block block;
    for (std::size_t i = 0; i < n_; ++i) {
      if (in_rows[i]) block.rows.push_back(i);
      if (in_columns[i]) block.columns.push_back(i);
    }
    return block;
  }

  Pivot find_largest(const Block& block) {
    Pivot best{block.rows[0], block.columns[0]};
    double best_size = -1.0;
    for (const std::size_t r : block.rows) {
      for (const std::size_t c : block.columns) {
        if (!is_entry(r, c)) continue;
        double size = std::fabs(value(0, r, c));
        for (std::size_t s = 1; s < samples_.size(); ++s) size = std::min(size, std::fabs(value(s, r, c)));
        if (size > best_size) {
          best = {r, c};
          best_size = size;
        }
      }
    }
    return best;
  }

  /// Gauss–Jordan step: divides the row by its entry in the column and eliminates that column from all other rows.
  void eliminate(std::size_t row, std::size_t column) {
    const Expr pivot = left_[row][column];
    for (std::size_t c = 0; c < n_; ++c) {
      if (is_entry(row, c)) left_[row][c] = left_[row][c] / pivot;
      if (!right_[row][c].is_zero()) right_[row][c] = right_[row][c] / pivot;
    }
    for (std::size_t s = 0; s < samples_.size(); ++s) {
      const double p = value(s, row, column);
      for (std::size_t c = 0; c < n_; ++c) value(s, row, c) /= p;
    }
    finish_column(row, column);
  }

  void finish_column(std::size_t row, std::size_t column) {
    row_is_done_[row] = true;
    row_of_column_[column] = row;
    for (std::size_t r = 0; r < n_; ++r) {
      if (r == row || !is_entry(r, column)) continue;
      const Expr factor = left_[r][column];
      for (std::size_t c = 0; c < n_; ++c) {
        if (!right_[row][c].is_zero()) right_[r][c] = right_[r][c] - factor * right_[row][c];
        if (c == column || !is_entry(row, c)) continue;
        left_[r][c] = left_[r][c] - factor * left_[row][c];
        double scale = 0.0;
        for (std::size_t s = 0; s < samples_.size(); ++s) {
          const double change = value(s, r, column) * value(s, row, c);
          scale = std::max(scale, std::fabs(value(s, r, c)) + std::fabs(change));
          value(s, r, c) -= change;
        }
        clean(r, c, scale);
      }
      left_[r][column] = zero_;
      for (std::size_t s = 0; s < samples_.size(); ++s) value(s, r, column) = 0.0;
    }
  }

  /// Determinant of the submatrix with the given rows and columns, by Laplace expansion.
  Expr determinant(const std::vector<std::size_t>& rows, const std::vector<std::size_t>& columns) const {
    if (rows.empty()) return zero_.graph().constant(1.0);
    const std::vector<std::size_t> rest(rows.begin() + 1, rows.end());
    Expr sum = zero_;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const Expr entry = left_[rows[0]][columns[k]];
      if (entry.is_zero()) continue;
      std::vector<std::size_t> others = columns;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
      const Expr product = entry * determinant(rest, others);
      sum = k % 2 == 0 ? sum + product : sum - product;
    }
    return sum;
  }

  std::optional<Failure> eliminate_block(const Block& block) {
    const std::size_t k = block.rows.size();
    Expr det = determinant(block.rows, block.columns);
    const auto values = sampler_.sample({&det, 1});
    if (values.empty() || sampler_.is_generically_zero(det))
      return singular(block.rows.back(), "the definitions of the speeds depend on each other");
    const double whole = std::round(values[0][0]);
    const auto is_whole = [&](const auto& v) { return std::fabs(v[0] - whole) < tolerance::kZero; };
    if (whole != 0.0 && std::all_of(values.begin(), values.end(), is_whole) && is_analytic(det)) {
      det = det.graph().constant(whole);
    }
    // Row j of the inverse block solves for column j: Σ_i adj_ji row_i / det
    ExprMatrix solved(k, std::vector<Expr>(n_, zero_));
    for (std::size_t j = 0; j < k; ++j) {
      std::vector<std::size_t> columns = block.columns;
      columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(j));
      for (std::size_t i = 0; i < k; ++i) {
        std::vector<std::size_t> rows = block.rows;
        rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(i));
        const Expr minor = determinant(rows, columns);
        if (minor.is_zero()) continue;
        const Expr weight = (i + j) % 2 == 0 ? minor / det : -(minor / det);
        for (std::size_t c = 0; c < n_; ++c) {
          const Expr entry = right_[block.rows[i]][c];
          if (!entry.is_zero()) solved[j][c] = solved[j][c] + weight * entry;
        }
      }
    }
    // A block contains all unsolved columns of its rows; in solved columns its rows are zero.
    for (std::size_t j = 0; j < k; ++j) {
      const std::size_t row = block.rows[j];
      right_[row] = solved[j];
      for (std::size_t c = 0; c < n_; ++c) {
        left_[row][c] = c == block.columns[j] ? zero_.graph().constant(1.0) : zero_;
        for (std::size_t s = 0; s < samples_.size(); ++s) value(s, row, c) = c == block.columns[j] ? 1.0 : 0.0;
      }
    }
    for (std::size_t j = 0; j < k; ++j) finish_column(block.rows[j], block.columns[j]);
    return std::nullopt;
  }

  std::size_t n_;
  ExprMatrix left_, right_;
  std::span<const Expr> variables_;
  const Sampler& sampler_;
  Expr zero_;
  std::vector<std::vector<double>> samples_;
  std::vector<std::optional<std::size_t>> row_of_column_;
  std::vector<bool> row_is_done_;
};

}  // namespace

Outcome<ExprMatrix> invert(const ExprMatrix& matrix, std::span<const Expr> variables, const Sampler& sampler) {
  if (matrix.empty()) return ExprMatrix{};
  Elimination elimination(matrix, variables, sampler);
  if (auto failure = elimination.run()) return fail(std::move(*failure));
  return elimination.inverse();
}

}  // namespace vinculum::equations
