#include "vinculum/solve/generated/dependent_speeds.hpp"

#include <algorithm>
#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/solve/generated/choices.hpp"

namespace vinculum::solve {
namespace {

using expr::Expr;

constexpr std::size_t kMostRowsAtOnce = 3;

/// A sum of products factor × part. Parts with the same factor are added first, so that m sin² + m cos² becomes m.
class GroupedSum {
 public:
  void add(Expr factor, Expr part) {
    if (factor.is_zero() || part.is_zero()) return;
    const auto known = std::ranges::find(groups_, factor, &std::pair<Expr, Expr>::first);
    if (known == groups_.end()) {
      groups_.emplace_back(factor, part);
    } else {
      known->second += part;
    }
  }
  [[nodiscard]] Expr over(Expr begin) const {
    for (const auto& [factor, part] : groups_) begin += factor * part;
    return begin;
  }

 private:
  std::vector<std::pair<Expr, Expr>> groups_;
};

template <class T>
void remove(std::vector<T>& from, const std::vector<T>& these) {
  std::erase_if(from, [&these](const T& one) { return std::ranges::find(these, one) != these.end(); });
}

}  // namespace

DependentSpeeds::DependentSpeeds(const SymbolicSystem& system)
    : nu_(system.nu), graph_(&system.M.front().graph()), M_(system.M) {
  for (const expr::SparseRow& row : system.A) A_.push_back(row.dense());
  for (int j = 0; j < nu_; ++j) speeds_.push_back(j);
  for (std::size_t i = 0; i < A_.size(); ++i) rows_.push_back(static_cast<int>(i));
  for (std::size_t count = kMostRowsAtOnce; count > 0; --count) {
    for (std::size_t i = 0; i + count <= rows_.size();) {
      const std::vector<int> together(rows_.begin() + static_cast<std::ptrdiff_t>(i),
                                      rows_.begin() + static_cast<std::ptrdiff_t>(i + count));
      if (!takes_rows(together)) ++i;
    }
  }
}

bool DependentSpeeds::takes_rows(std::span<const int> rows) {
  std::vector<int> candidates;
  for (const int j : speeds_) {
    const bool is_met = std::ranges::any_of(rows, [&](int i) { return !nth(nth(A_, i), j).is_zero(); });
    const bool is_apart = std::ranges::all_of(speeds_, [&](int k) { return k == j || M(j, k).is_zero(); });
    if (is_met && is_apart) candidates.push_back(j);
  }
  constexpr std::size_t kMostCandidates = 8;
  if (candidates.size() > kMostCandidates) return false;
  return choose(candidates, rows.size(), [&](const std::vector<int>& speeds) { return takes(rows, speeds); });
}

bool DependentSpeeds::takes(std::span<const int> rows, std::span<const int> speeds) {
  Block block{{rows.begin(), rows.end()}, {speeds.begin(), speeds.end()}, {}, {}, {}, {}};
  std::vector<double> N;
  for (const int i : rows) {
    for (const int k : rows) {
      Expr sum = graph_->constant(0.0);
      for (const int j : speeds) sum += nth(nth(A_, i), j) * nth(nth(A_, k), j);
      if (i != k ? !sum.is_zero() : !(sum.is_constant() && sum.value() > 0.0)) return false;
      if (i == k) N.push_back(sum.value());
    }
  }
  for (const int j : speeds) {
    block.P.emplace_back();
    for (std::size_t k = 0; k < rows.size(); ++k) block.P.back().push_back(nth(nth(A_, rows[k]), j) / N[k]);
  }
  eliminate(std::move(block));
  return true;
}

void DependentSpeeds::eliminate(Block block) {
  const std::size_t count = block.rows.size();
  const Expr zero = graph_->constant(0.0);
  for (const int i : block.rows) {
    block.A.push_back(nth(A_, i));
    for (const int j : block.speeds) nth(block.A.back(), j) = zero;
  }
  remove(speeds_, block.speeds);
  remove(rows_, block.rows);
  block.W.assign(count, std::vector<Expr>(count, zero));
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t l = 0; l <= k; ++l) {
      GroupedSum sum;
      for (std::size_t d = 0; d < count; ++d)
        sum.add(M(block.speeds[d], block.speeds[d]), block.P[d][k] * block.P[d][l]);
      block.W[k][l] = block.W[l][k] = sum.over(zero);
    }
  }
  for (const int i : speeds_) {
    for (const int j : speeds_) {
      if (j > i) continue;
      GroupedSum squares;
      for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t l = 0; l < count; ++l) squares.add(block.W[k][l], nth(block.A[k], i) * nth(block.A[l], j));
      }
      M(i, j) = M(j, i) = squares.over(M(i, j));
    }
  }
  block.AP.assign(A_.size(), std::vector<Expr>(count, zero));
  for (const int r : rows_) {
    std::vector<Expr>& row = nth(A_, r);
    for (std::size_t k = 0; k < count; ++k) {
      Expr& share = nth(block.AP, r)[k];
      for (std::size_t d = 0; d < count; ++d) share += nth(row, block.speeds[d]) * block.P[d][k];
      for (const int i : speeds_) nth(row, i) -= share * nth(block.A[k], i);
    }
    for (const int j : block.speeds) nth(row, j) = zero;
  }
  blocks_.push_back(std::move(block));
}

SymbolicSystem DependentSpeeds::rest() const {
  SymbolicSystem rest;
  rest.nu = static_cast<int>(speeds_.size());
  for (const int i : speeds_) {
    for (const int j : speeds_) rest.M.push_back(nth(M_, i * nu_ + j));
  }
  for (const int r : rows_) {
    std::vector<Expr> row;
    for (const int j : speeds_) row.push_back(nth(nth(A_, r), j));
    rest.A.emplace_back(row);
  }
  return rest;
}

DependentSpeeds::Right DependentSpeeds::reduce(std::span<const Expr> r_f, std::span<const Expr> r_b) const {
  Right right;
  right.f.emplace_back(r_f.begin(), r_f.end());
  right.b.emplace_back(r_b.begin(), r_b.end());
  for (const Block& block : blocks_) {
    std::vector<Expr> f = right.f.back(), b = right.b.back();
    for (std::size_t k = 0; k < block.rows.size(); ++k) {
      const Expr b_k = nth(right.b.back(), block.rows[k]);
      Expr h = graph_->constant(0.0);
      for (std::size_t d = 0; d < block.speeds.size(); ++d) h += block.P[d][k] * nth(right.f.back(), block.speeds[d]);
      for (std::size_t l = 0; l < block.rows.size(); ++l) h -= block.W[k][l] * nth(right.b.back(), block.rows[l]);
      for (std::size_t i = 0; i < f.size(); ++i) f[i] -= block.A[k][i] * h;
      for (std::size_t r = 0; r < b.size(); ++r) b[r] -= block.AP[r][k] * b_k;
    }
    right.f.push_back(std::move(f));
    right.b.push_back(std::move(b));
  }
  return right;
}

StaticSolution DependentSpeeds::solve_rest(const Right& right, int refinements) const {
  if (speeds_.empty()) return {{}, {}, graph_->constant(0.0), graph_->constant(0.0)};
  StaticStructure structure;
  structure.generic_rank = static_cast<int>(rows_.size());
  structure.factor.assign(rows_.size(), 1.0);
  std::vector<Expr> f, b;
  for (const int j : speeds_) f.push_back(nth(right.f.back(), j));
  for (const int r : rows_) {
    structure.representative.push_back(static_cast<int>(b.size()));
    b.push_back(nth(right.b.back(), r));
  }
  return StaticLdlt(rest(), structure).solve(f, b, rows_.empty() ? 0 : refinements);
}

StaticSolution DependentSpeeds::solve(std::span<const Expr> r_f, std::span<const Expr> r_b, int refinements) const {
  const Right right = reduce(r_f, r_b);
  const StaticSolution of_rest = solve_rest(right, refinements);
  StaticSolution solution = of_rest;
  solution.u.assign(static_cast<std::size_t>(nu_), graph_->constant(0.0));
  solution.lambda.assign(A_.size(), graph_->constant(0.0));
  for (std::size_t k = 0; k < speeds_.size(); ++k) nth(solution.u, speeds_[k]) = of_rest.u[k];
  for (std::size_t k = 0; k < rows_.size(); ++k) nth(solution.lambda, rows_[k]) = of_rest.lambda[k];
  for (std::size_t n = blocks_.size(); n-- > 0;) give_speeds(n, right, solution);
  return solution;
}

/// Computes the speeds and multipliers of a block from the solution of the problem that remained after its elimination.
void DependentSpeeds::give_speeds(std::size_t n, const Right& right, StaticSolution& solution) const {
  const Block& block = blocks_[n];
  std::vector<Expr> t;
  for (std::size_t k = 0; k < block.rows.size(); ++k) {
    t.push_back(nth(right.b[n], block.rows[k]));
    for (std::size_t i = 0; i < solution.u.size(); ++i) t.back() -= block.A[k][i] * solution.u[i];
  }
  for (std::size_t k = 0; k < block.rows.size(); ++k) {
    Expr& lambda = nth(solution.lambda, block.rows[k]);
    for (std::size_t l = 0; l < t.size(); ++l) lambda += block.W[k][l] * t[l];
    for (std::size_t d = 0; d < block.speeds.size(); ++d) lambda -= block.P[d][k] * nth(right.f[n], block.speeds[d]);
    for (std::size_t r = 0; r < A_.size(); ++r) lambda -= block.AP[r][k] * solution.lambda[r];
  }
  for (std::size_t d = 0; d < block.speeds.size(); ++d) {
    Expr& u = nth(solution.u, block.speeds[d]);
    for (std::size_t k = 0; k < t.size(); ++k) u += block.P[d][k] * t[k];
  }
}

}  // namespace vinculum::solve
