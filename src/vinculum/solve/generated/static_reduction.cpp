#include "vinculum/solve/generated/static_reduction.hpp"

#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/greatest_size.hpp"

namespace vinculum::solve {
namespace {

using expr::Expr;

/// Sum of terms, added in pairs, so that the chain of dependent additions is short.
class Sum {
 public:
  explicit Sum(Expr zero) : zero_(zero) {}
  void add(Expr term) {
    if (!term.is_zero()) terms_.push_back(term);
  }
  [[nodiscard]] Expr value() {
    if (terms_.empty()) return zero_;
    for (; terms_.size() > 1;) {
      std::vector<Expr> pairs;
      for (std::size_t i = 0; i + 1 < terms_.size(); i += 2) pairs.push_back(terms_[i] + terms_[i + 1]);
      if (terms_.size() % 2 == 1) pairs.push_back(terms_.back());
      terms_ = std::move(pairs);
    }
    return terms_.front();
  }

 private:
  Expr zero_;
  std::vector<Expr> terms_;
};

}  // namespace

StaticReduction::StaticReduction(const SymbolicSystem& system, const SpeedBlocks& blocks)
    : system_(system), blocks_(blocks), graph_(&system.M.front().graph()), guard_(zero()) {
  const auto nu = static_cast<std::size_t>(system.nu);
  VINCULUM_EXPECTS(blocks.size.size() == nu);
  for (const SpeedBlocks::Block& block : blocks_.blocks) {
    VINCULUM_EXPECTS(!block.rows.empty() && block.speeds.size() == block.rows.size());
    factors_.push_back(block.rows.size() > kMostByCofactors ? by_elimination(block) : by_cofactors(block));
  }
  const std::vector<Expr> nothing(system_.A.size(), zero());
  for (const int k : blocks_.independent) {
    Column& V = V_.emplace_back(nu, zero());
    nth(V, k) = graph_->constant(1.0);
    give_speeds(V, nothing);
    MV_.push_back(times_M(V));
  }
}

Expr StaticReduction::squared_length(int row, bool by_form) const {
  const expr::SparseRow& entries = nth(system_.A, row);
  std::vector<Expr> greatest(entries.entries().size());
  if (by_form) greatest = expr::greatest_sizes(entries.values(), system_.parameters);
  Sum sum(zero());
  std::size_t k = 0;
  for (const auto& [j, entry] : entries) {
    const double size = blocks_.size[j];
    const Expr most = greatest[k++];
    sum.add(size * size * expr::square(most.is_valid() ? most : entry));
  }
  return sum.value();
}

void StaticReduction::guard(Expr pivot, std::span<const int> rows, std::span<const int> speeds, bool by_form) {
  double least = kLeastOfBlock;
  for (const int speed : speeds) least /= nth(blocks_.size, speed);
  Expr lengths = graph_->constant(least * least);
  for (const int row : rows) lengths = lengths * squared_length(row, by_form);
  guard_ = expr::maximum(guard_, lengths - pivot * pivot);
}

StaticReduction::Factor StaticReduction::by_cofactors(const SpeedBlocks::Block& block) {
  const auto n = static_cast<int>(block.rows.size());
  const auto entry = [&](int i, int j) { return A(nth(block.rows, i), nth(block.speeds, j)); };
  Factor factor;
  Expr determinant;
  if (n == 1) {
    factor.adjugate = {{graph_->constant(1.0)}};
    determinant = entry(0, 0);
  } else if (n == 2) {
    factor.adjugate = {{entry(1, 1), -entry(0, 1)}, {-entry(1, 0), entry(0, 0)}};
    determinant = entry(0, 0) * entry(1, 1) - entry(0, 1) * entry(1, 0);
  } else {
    const auto cofactor = [&](int i, int j) {
      const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      return entry(a, c) * entry(b, d) - entry(a, d) * entry(b, c);
    };
    for (int j = 0; j < 3; ++j) factor.adjugate.push_back({cofactor(0, j), cofactor(1, j), cofactor(2, j)});
    determinant = zero();
    for (int j = 0; j < 3; ++j) determinant += entry(0, j) * nth(factor.adjugate, j)[0];
  }
  VINCULUM_EXPECTS(!determinant.is_zero());
  guard(determinant, block.rows, block.speeds, block.is_far_by_form);
  factor.over_determinant = 1.0 / determinant;
  return factor;
}

/// Gaussian elimination in the order of the block.
StaticReduction::Factor StaticReduction::by_elimination(const SpeedBlocks::Block& block) {
  const std::size_t n = block.rows.size();
  Factor factor;
  for (const int row : block.rows) {
    Column& of_row = factor.LU.emplace_back();
    for (const int speed : block.speeds) of_row.push_back(A(row, speed));
  }
  for (std::size_t k = 0; k < n; ++k) {
    const Expr pivot = factor.LU[k][k];
    VINCULUM_EXPECTS(!pivot.is_zero());
    guard(pivot, std::span(block.rows).subspan(k, 1), std::span(block.speeds).subspan(k, 1), block.is_far_by_form);
    factor.over_pivot.push_back(1.0 / pivot);
    for (std::size_t i = k + 1; i < n; ++i) {
      Column& row = factor.LU[i];
      row[k] = row[k] * factor.over_pivot[k];
      for (std::size_t j = k + 1; j < n; ++j) row[j] -= row[k] * factor.LU[k][j];
    }
  }
  return factor;
}

/// The inverse (or its transpose) times the right-hand side, by cofactors.
template <class Cofactor>
std::vector<Expr> StaticReduction::Factor::product(const std::vector<Expr>& right, const Cofactor& cofactor) const {
  std::vector<Expr> x;
  for (std::size_t i = 0; i < right.size(); ++i) {
    Sum sum(right.front().graph().constant(0.0));
    for (std::size_t j = 0; j < right.size(); ++j) sum.add(cofactor(i, j) * right[j]);
    x.push_back(sum.value() * over_determinant);
  }
  return x;
}

std::vector<Expr> StaticReduction::Factor::solve(std::vector<Expr> right) const {
  const std::size_t n = right.size();
  if (adjugate.empty()) {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j) right[i] -= LU[i][j] * right[j];
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t j = n; j-- > i + 1;) right[i] -= LU[i][j] * right[j];
      right[i] = right[i] * over_pivot[i];
    }
    return right;
  }
  return product(right, [this](std::size_t i, std::size_t j) { return adjugate[i][j]; });
}

std::vector<Expr> StaticReduction::Factor::solve_transposed(std::vector<Expr> right) const {
  const std::size_t n = right.size();
  if (adjugate.empty()) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) right[i] -= LU[j][i] * right[j];
      right[i] = right[i] * over_pivot[i];
    }
    for (std::size_t i = n; i-- > 0;)
      for (std::size_t j = n; j-- > i + 1;) right[i] -= LU[j][i] * right[j];
    return right;
  }
  return product(right, [this](std::size_t i, std::size_t j) { return adjugate[j][i]; });
}

void StaticReduction::give_speeds(Column& u, std::span<const Expr> b) const {
  for (std::size_t k = 0; k < factors_.size(); ++k) {
    const std::vector<int>&rows = blocks_.blocks[k].rows, &speeds = blocks_.blocks[k].speeds;
    std::vector<Expr> right;
    for (const int row : rows) {
      Sum sum(zero());
      sum.add(nth(b, row));
      for (const auto& [j, entry] : nth(system_.A, row)) sum.add(-(entry * u[j]));
      right.push_back(sum.value());
    }
    const std::vector<Expr> given = factors_[k].solve(std::move(right));
    for (std::size_t d = 0; d < speeds.size(); ++d) nth(u, speeds[d]) = given[d];
  }
}

StaticReduction::Column StaticReduction::times_M(const Column& u) const {
  const auto nu = static_cast<std::size_t>(system_.nu);
  Column product;
  for (std::size_t i = 0; i < nu; ++i) {
    Sum sum(zero());
    for (std::size_t j = 0; j < nu; ++j) sum.add(system_.M[i * nu + j] * u[j]);
    product.push_back(sum.value());
  }
  return product;
}

/// Multipliers for which the equations of motion of the dependent speeds are satisfied.   \param left  [nu] M u − f
StaticReduction::Column StaticReduction::multipliers(const Column& left) const {
  Column lambda(system_.A.size(), zero());
  for (std::size_t k = factors_.size(); k-- > 0;) {
    const std::vector<int>&rows = blocks_.blocks[k].rows, &speeds = blocks_.blocks[k].speeds;
    std::vector<Expr> right;
    for (const int speed : speeds) {
      Sum sum(zero());
      sum.add(nth(left, speed));
      for (std::size_t later = k + 1; later < factors_.size(); ++later)
        for (const int row : blocks_.blocks[later].rows) sum.add(-(A(row, speed) * nth(lambda, row)));
      right.push_back(sum.value());
    }
    const std::vector<Expr> found = factors_[k].solve_transposed(std::move(right));
    for (std::size_t i = 0; i < rows.size(); ++i) nth(lambda, rows[i]) = found[i];
  }
  return lambda;
}

StaticSolution StaticReduction::solve(std::span<const Expr> r_f, std::span<const Expr> r_b) const {
  const auto nu = static_cast<std::size_t>(system_.nu);
  VINCULUM_EXPECTS(r_f.size() == nu && r_b.size() == system_.A.size());
  Column u(nu, zero());
  give_speeds(u, r_b);  // the c of u = c + V u_I
  StaticSolution solution;
  solution.residual = zero();
  solution.contraction = guard_;
  if (!V_.empty()) {
    SymbolicSystem reduced{static_cast<int>(V_.size()), {}, {}};
    std::vector<Expr> force;
    for (std::size_t k = 0; k < V_.size(); ++k) {
      for (std::size_t l = 0; l < V_.size(); ++l) {
        const auto [first, second] = std::minmax(k, l);
        Sum sum(zero());
        for (std::size_t i = 0; i < nu; ++i) sum.add(V_[second][i] * MV_[first][i]);
        reduced.M.push_back(sum.value());
      }
      Sum sum(zero());
      for (std::size_t i = 0; i < nu; ++i) {
        sum.add(V_[k][i] * r_f[i]);
        sum.add(-(MV_[k][i] * u[i]));
      }
      force.push_back(sum.value());
    }
    const StaticSolution free = StaticLdlt(reduced, {}).solve(force, {}, 0);
    solution.contraction = expr::maximum(guard_, free.contraction);
    for (std::size_t i = 0; i < nu; ++i) {
      Sum sum(zero());
      sum.add(u[i]);
      for (std::size_t k = 0; k < V_.size(); ++k) sum.add(V_[k][i] * free.u[k]);
      u[i] = sum.value();
    }
  }
  Column left = times_M(u);
  for (std::size_t i = 0; i < nu; ++i) left[i] -= r_f[i];
  solution.lambda = multipliers(left);
  solution.u = std::move(u);
  return solution;
}

}  // namespace vinculum::solve
