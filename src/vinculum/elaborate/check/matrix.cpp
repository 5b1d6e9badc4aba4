#include "vinculum/elaborate/check/matrix.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::elaborate {

using model::Term;
using model::TermPool;

namespace {

TermMatrix zeros(TermPool& pool, int rows, int columns) {
  return {rows, columns, std::vector<Term>(static_cast<std::size_t>(rows * columns), pool.number(0.0))};
}

TermPool& pool_of(const TermMatrix& a) { return a.entries.front().pool(); }

/// Product of column j of A and column k of B: Σ a(i, j) b(i, k) over i.
Term column_product(const TermMatrix& a, int j, const TermMatrix& b, int k) {
  Term sum = pool_of(a).number(0.0);
  for (int i = 0; i < a.rows; ++i) sum = sum + a.at(i, j) * b.at(i, k);
  return sum;
}

/// The solution X of R X = B, R upper triangular.
TermMatrix back_substituted(const TermMatrix& r, TermMatrix b) {
  for (int column = 0; column < b.columns; ++column) {
    for (int i = r.rows - 1; i >= 0; --i) {
      Term sum = b.at(i, column);
      for (int k = i + 1; k < r.columns; ++k) sum = sum - r.at(i, k) * b.at(k, column);
      b.at(i, column) = sum.is_zero() ? sum : sum / r.at(i, i);
    }
  }
  return b;
}

}  // namespace

TermMatrix transpose(const TermMatrix& a) {
  TermMatrix result{a.columns, a.rows, {}};
  for (int j = 0; j < a.columns; ++j) {
    for (int i = 0; i < a.rows; ++i) result.entries.push_back(a.at(i, j));
  }
  return result;
}

TermMatrix product(const TermMatrix& a, const TermMatrix& b) {
  VINCULUM_EXPECTS(a.columns == b.rows && b.rows > 0);
  TermMatrix result = zeros(pool_of(a), a.rows, b.columns);
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < b.columns; ++j) {
      for (int k = 0; k < a.columns; ++k) result.at(i, j) = result.at(i, j) + a.at(i, k) * b.at(k, j);
    }
  }
  return result;
}

int structural_rank(const TermMatrix& a) {
  // A maximum matching of rows to columns along nonzero entries.
  std::vector<int> row_of(static_cast<std::size_t>(a.columns), -1);
  std::vector<bool> seen;
  const std::function<bool(int)> match = [&](int row) {
    for (int column = 0; column < a.columns; ++column) {
      const auto at = static_cast<std::size_t>(column);
      if (seen[at] || a.at(row, column).is_zero()) continue;
      seen[at] = true;
      if (row_of[at] < 0 || match(row_of[at])) {
        row_of[at] = row;
        return true;
      }
    }
    return false;
  };
  int rank = 0;
  for (int row = 0; row < a.rows; ++row) {
    seen.assign(static_cast<std::size_t>(a.columns), false);
    rank += match(row) ? 1 : 0;
  }
  return rank;
}

int numerical_rank(int rows, int columns, std::vector<double> entries) {
  const auto m = static_cast<std::size_t>(rows), n = static_cast<std::size_t>(columns);
  const auto at = [&](std::size_t i, std::size_t j) -> double& { return entries[i * n + j]; };
  const auto scale = [](std::size_t count, const auto& entry) {
    double largest = 0.0;
    for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, std::fabs(entry(i)));
    for (std::size_t i = 0; i < count && largest > 0.0; ++i) entry(i) /= largest;
  };
  for (std::size_t i = 0; i < m; ++i) scale(n, [&](std::size_t j) -> double& { return at(i, j); });
  for (std::size_t j = 0; j < n; ++j) scale(m, [&](std::size_t i) -> double& { return at(i, j); });
  std::size_t rank = 0;
  for (; rank < std::min(m, n); ++rank) {
    std::size_t row = rank, column = rank;
    for (std::size_t i = rank; i < m; ++i) {
      for (std::size_t j = rank; j < n; ++j) {
        if (std::fabs(at(i, j)) > std::fabs(at(row, column))) row = i, column = j;
      }
    }
    if (std::fabs(at(row, column)) <= tolerance::kDerivedRank) break;
    for (std::size_t j = 0; j < n; ++j) std::swap(at(rank, j), at(row, j));
    for (std::size_t i = 0; i < m; ++i) std::swap(at(i, rank), at(i, column));
    for (std::size_t i = rank + 1; i < m; ++i) {
      const double factor = at(i, rank) / at(rank, rank);
      for (std::size_t j = rank; j < n; ++j) at(i, j) -= factor * at(rank, j);
    }
  }
  return static_cast<int>(rank);
}

std::optional<OrthogonalFactors> orthogonal_factors(const TermMatrix& a) {
  VINCULUM_EXPECTS(a.rows >= a.columns && a.columns > 0);
  if (structural_rank(a) < a.columns) return std::nullopt;
  TermPool& pool = pool_of(a);
  OrthogonalFactors factors{a, zeros(pool, a.columns, a.columns)};
  TermMatrix &q = factors.q, &r = factors.r;
  for (int j = 0; j < a.columns; ++j) {
    for (int pass = 0; pass < (j == 0 ? 1 : 2); ++pass) {
      for (int k = 0; k < j; ++k) {
        const Term along = column_product(q, k, q, j);
        if (along.is_zero()) continue;
        r.at(k, j) = r.at(k, j) + along;
        for (int i = 0; i < a.rows; ++i) q.at(i, j) = q.at(i, j) - along * q.at(i, k);
      }
    }
    int entries = 0, last = 0;
    for (int i = 0; i < a.rows; ++i) {
      if (q.at(i, j).is_zero()) continue;
      ++entries;
      last = i;
    }
    if (entries == 0) return std::nullopt;
    // A column with a single entry equals that entry times a unit vector. Treating it separately avoids a square root
    // and the square of a small number.
    r.at(j, j) = entries == 1 ? q.at(last, j) : pool.function(expr::Op::kSquareRoot, column_product(q, j, q, j));
    for (int i = 0; i < a.rows; ++i) {
      if (entries == 1)
        q.at(i, j) = pool.number(i == last ? 1.0 : 0.0);
      else if (!q.at(i, j).is_zero())
        q.at(i, j) = q.at(i, j) / r.at(j, j);
    }
  }
  return factors;
}

std::optional<TermMatrix> pseudo_inverse(const TermMatrix& a) {
  const bool is_wide = a.rows < a.columns;
  const auto factors = orthogonal_factors(is_wide ? transpose(a) : a);
  if (!factors) return std::nullopt;
  const TermMatrix inverse = back_substituted(factors->r, transpose(factors->q));
  return is_wide ? transpose(inverse) : inverse;
}

std::optional<TermMatrix> solve(const TermMatrix& a, const TermMatrix& b) {
  VINCULUM_EXPECTS(a.rows == a.columns && b.rows == a.rows);
  const auto factors = orthogonal_factors(a);
  if (!factors) return std::nullopt;
  return back_substituted(factors->r, product(transpose(factors->q), b));
}

std::optional<Scaling> find_scaling(int rows, int columns, const std::vector<Dimension>& entries,
                                    const std::vector<bool>& fits_any) {
  Scaling scaling{std::vector<Dimension>(static_cast<std::size_t>(rows)),
                  std::vector<Dimension>(static_cast<std::size_t>(columns))};
  std::vector<bool> has_row(static_cast<std::size_t>(rows), false),
      has_column(static_cast<std::size_t>(columns), false);
  const auto place = [&](std::size_t i, std::size_t j) { return i * static_cast<std::size_t>(columns) + j; };
  std::vector<std::size_t> open;  // rows whose dimension is known and that have not been processed
  for (std::size_t first = 0; first < has_row.size(); ++first) {
    if (has_row[first]) continue;
    has_row[first] = true;
    open.push_back(first);
    while (!open.empty()) {
      const std::size_t i = open.back();
      open.pop_back();
      for (std::size_t j = 0; j < has_column.size(); ++j) {
        if (fits_any[place(i, j)] || has_column[j]) continue;
        has_column[j] = true;
        scaling.columns[j] = scaling.rows[i] / entries[place(i, j)];
        for (std::size_t other = 0; other < has_row.size(); ++other) {
          if (fits_any[place(other, j)] || has_row[other]) continue;
          has_row[other] = true;
          scaling.rows[other] = entries[place(other, j)] * scaling.columns[j];
          open.push_back(other);
        }
      }
    }
  }
  for (std::size_t i = 0; i < has_row.size(); ++i) {
    for (std::size_t j = 0; j < has_column.size(); ++j) {
      if (!fits_any[place(i, j)] && !(entries[place(i, j)] == scaling.rows[i] / scaling.columns[j]))
        return std::nullopt;
    }
  }
  return scaling;
}

}  // namespace vinculum::elaborate
