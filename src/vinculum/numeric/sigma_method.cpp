#include "vinculum/numeric/sigma_method.hpp"

#include <algorithm>
#include <cstddef>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/index.hpp"

namespace vinculum::numeric {
namespace {

/// Finds a matching of all equations with unknowns that has the greatest Σ σ, by shortest augmenting paths with
/// potentials.
/// Source: Burkard, Dell'Amico & Martello, Assignment Problems, §4.4.
class Assignment {
 public:
  Assignment(const std::vector<int>& sigma, int n)
      : sigma_(sigma), n_(n), of_row_(size(), -1), of_column_(size(), -1), u_(size(), 0), v_(size(), 0) {}

  /// Matches one more equation. \returns false if no augmenting path exists; `seen_rows` and `seen_columns` then prove
  /// it.
  bool match(int row) {
    constexpr long kFar = std::numeric_limits<long>::max();
    std::vector<long> distance(size(), kFar);
    std::vector<int> from(size(), -1);
    seen_rows = {row};
    seen_columns.assign(size(), 0);
    int last = row;
    long length = 0;
    while (true) {
      int next = -1;
      for (int j = 0; j < n_; ++j) {
        if (seen_columns[at(j)] != 0) continue;
        if (const int s = sigma_[at(last * n_ + j)]; s != kNotThere) {
          const long through = length - s - u_[at(last)] - v_[at(j)];
          if (through < distance[at(j)]) {
            distance[at(j)] = through;
            from[at(j)] = last;
          }
        }
        if (distance[at(j)] != kFar && (next < 0 || distance[at(j)] < distance[at(next)])) next = j;
      }
      if (next < 0) return false;
      seen_columns[at(next)] = 1;
      length = distance[at(next)];
      if (of_column_[at(next)] < 0) {
        for (int j = 0; j < n_; ++j) {
          if (seen_columns[at(j)] == 0 || j == next) continue;
          v_[at(j)] -= length - distance[at(j)];
          u_[at(of_column_[at(j)])] += length - distance[at(j)];
        }
        u_[at(row)] += length;
        for (int j = next; j >= 0;) {
          const int i = from[at(j)];
          of_column_[at(j)] = i;
          std::swap(of_row_[at(i)], j);
        }
        return true;
      }
      last = of_column_[at(next)];
      seen_rows.push_back(last);
    }
  }
  [[nodiscard]] const std::vector<int>& column_of_row() const { return of_row_; }

  std::vector<int> seen_rows;
  std::vector<char> seen_columns;

 private:
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(n_); }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  const std::vector<int>& sigma_;
  int n_;
  std::vector<int> of_row_, of_column_;
  std::vector<long> u_, v_;
};

}  // namespace

SigmaAnalysis sigma_method(const std::vector<int>& sigma, int n) {
  VINCULUM_EXPECTS(n >= 0 && sigma.size() == static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  const auto at = [n](int i, int j) {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(n) + static_cast<std::size_t>(j);
  };
  SigmaAnalysis result;
  Assignment assignment(sigma, n);
  for (int i = 0; i < n; ++i) {
    if (assignment.match(i)) continue;
    result.equations = assignment.seen_rows;
    std::ranges::sort(result.equations);
    for (int j = 0; j < n; ++j) {
      if (nth(assignment.seen_columns, j) != 0) result.unknowns.push_back(j);
    }
    return result;
  }
  result.transversal = assignment.column_of_row();
  result.c.assign(static_cast<std::size_t>(n), 0);
  result.d.assign(static_cast<std::size_t>(n), 0);
  for (bool is_settled = false; !is_settled;) {
    is_settled = true;
    for (int j = 0; j < n; ++j) {
      int highest = 0;
      for (int i = 0; i < n; ++i) {
        if (sigma[at(i, j)] != kNotThere) highest = std::max(highest, sigma[at(i, j)] + nth(result.c, i));
      }
      nth(result.d, j) = highest;
    }
    for (int i = 0; i < n; ++i) {
      const int j = nth(result.transversal, i);
      const int times = nth(result.d, j) - sigma[at(i, j)];
      if (times != nth(result.c, i)) is_settled = false;
      nth(result.c, i) = times;
    }
  }
  return result;
}

}  // namespace vinculum::numeric
