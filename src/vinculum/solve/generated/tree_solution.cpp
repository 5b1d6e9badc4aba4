#include "vinculum/solve/generated/tree_solution.hpp"

#include <algorithm>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/operation_count.hpp"

namespace vinculum::solve {
namespace {

using expr::Expr;
using Reduced = equations::ArticulatedFactor::Reduced;

void raise(Expr& largest, Expr value) {
  if (value.is_constant() && value.value() <= 0.0) return;
  largest = largest.is_valid() ? expr::maximum(largest, value) : value;
}

/// Factorization S = L D Lᵀ of S = A M⁻¹ Aᵀ, in the order of the rows.
class RowFactor {
 public:
  RowFactor(const std::vector<Reduced>& rows, Expr zero, std::span<const Expr> acts) {
    const std::size_t n = rows.size();
    std::vector<std::vector<Expr>> S(n, std::vector<Expr>(n, zero));  // lower triangle
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        for (std::size_t s = 0; s < rows[i].w.size(); ++s) S[i][j] += rows[i].w[s] * rows[j].e[s];
      }
    }
    for (std::size_t i = 0; i < acts.size(); ++i)
      if (acts[i].is_valid()) S[i][i] += 1.0 - acts[i];
    S_ = S;
    std::vector<Expr> before(n);  // value of each pivot before other rows reduced it
    L_.assign(n, std::vector<Expr>(n, zero));
    for (std::size_t k = 0; k < n; ++k) {
      const Expr pivot = S[k][k];
      inverse_.push_back(1.0 / pivot);
      raise(contraction_,
            (before[k].is_valid() ? tolerance::kWeakRow * before[k] : Expr(zero + tolerance::kLeast)) - pivot);
      for (std::size_t i = k + 1; i < n; ++i) {
        if (S[i][k].is_zero()) continue;
        if (!before[i].is_valid()) before[i] = S[i][i];
        L_[i][k] = S[i][k] * inverse_[k];
        for (std::size_t j = k + 1; j <= i; ++j) S[i][j] -= L_[i][k] * S[j][k];
      }
    }
  }
  /// \returns S⁻¹ r
  [[nodiscard]] std::vector<Expr> solve(std::vector<Expr> r) const {
    const std::size_t n = r.size();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < i; ++k) r[i] -= L_[i][k] * r[k];
    }
    for (std::size_t i = 0; i < n; ++i) r[i] = r[i] * inverse_[i];
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k) r[i] -= L_[k][i] * r[k];
    }
    return r;
  }
  /// Sum of the absolute values of the terms of S λ in a row.
  [[nodiscard]] Expr parts(std::size_t row, const std::vector<Expr>& lambda) const {
    Expr sum = expr::absolute(S_[row][row] * lambda[row]);
    for (std::size_t k = 0; k < lambda.size(); ++k) {
      if (k != row) sum += expr::absolute(S_[std::max(row, k)][std::min(row, k)] * lambda[k]);
    }
    return sum;
  }
  /// Guard of the pivots, see `StaticSolution::contraction`.
  [[nodiscard]] Expr contraction() const { return contraction_; }

 private:
  std::vector<std::vector<Expr>> S_, L_;  ///< lower triangles
  std::vector<Expr> inverse_;
  Expr contraction_;
};

// Lower limit of the operation count per articulated body. A body on a hinge in a plane takes 30 operations to rotate,
// shift and reduce its articulated inertia, and as many for its wrench and motion.
constexpr std::size_t kLeastOfMass = 60;

/// Operation count of the elimination of M from the last speed to the first. If masses are stated from the root of the
/// tree, this order is from the leaves to the root.
std::size_t elimination_of_mass(const equations::System& system) {
  const std::size_t nu = system.u.size();
  std::size_t all = 0;
  for (std::size_t r = 0; r < nu; ++r) {
    std::size_t coupled = 0;
    for (std::size_t s = 0; s < r; ++s) coupled += system.M[r * nu + s].is_zero() ? 0 : 1;
    all += coupled * (coupled + 2);
  }
  return all;
}

}  // namespace

std::optional<equations::ArticulatedMotion> bodies_for_solution(const equations::System& system) {
  if (system.rows.empty()) return equations::articulated_motion(system);
  // With few rows, the sweeps and the products of pairs of rows take no more operations than the entries of M. In a
  // chain of linkages they take more: there are as many rows as speeds, M is almost diagonal, and S is full.
  const bool are_few = system.rows.size() * system.rows.size() <= system.u.size();
  if (system.M.is_deferred()) return are_few ? equations::articulated_motion(system) : std::nullopt;
  const std::size_t elimination = elimination_of_mass(system);
  if (elimination < kLeastOfMass * (system.model->bodies.size() + system.model->particles.size())) return std::nullopt;
  auto bodies = equations::articulated_motion(system);
  if (!bodies) return std::nullopt;
  // Per row, a sweep over the bodies costs about as much as a solution with the factor of M, so rows are not counted.
  std::vector<Expr> inputs{system.t}, of_mass = system.M, free = bodies->u_dot;
  for (const auto* some : {&system.q, &system.u, &system.z}) inputs.insert(inputs.end(), some->begin(), some->end());
  of_mass.insert(of_mass.end(), system.f.begin(), system.f.end());
  free.push_back(bodies->contraction);
  if (expr::operation_count(free, inputs) > elimination + expr::operation_count(of_mass, inputs)) return std::nullopt;
  return bodies;
}

solve::StaticSolution tree_solution(const equations::ArticulatedMotion& tree, std::span<const expr::SparseRow> A,
                                    std::span<const Expr> b, const std::vector<Expr>& a, int refinements,
                                    std::span<const Expr> acts) {
  VINCULUM_EXPECTS(!A.empty() && A.size() == b.size() && a.size() == tree.u_dot.size());
  const Expr zero = b.front().graph().constant(0.0);
  std::vector<Reduced> reduced;
  std::vector<std::vector<Expr>> responses;  // columns of M⁻¹ Aᵀ
  for (const expr::SparseRow& row : A) {
    reduced.push_back(tree.factor->reduce(row));
    responses.push_back(tree.factor->expand(reduced.back().e));
  }
  const RowFactor S(reduced, zero, acts);
  solve::StaticSolution solution{a, std::vector<Expr>(A.size(), zero), {}, tree.contraction};
  const auto missed = [&](std::size_t k) {
    Expr sum = zero;
    for (const auto& [j, entry] : A[k]) sum += entry * solution.u[j];
    return b[k] - sum;
  };
  const auto parts = [&](std::size_t k) {
    Expr sum = zero;
    for (const auto& [j, entry] : A[k]) sum += expr::absolute(entry * solution.u[j]);
    return sum;
  };
  // Adds the reaction of the rows that removes the residual `what` of the rows.
  const auto meet = [&](std::vector<Expr> what) {
    const std::vector<Expr> more = S.solve(std::move(what));
    for (std::size_t k = 0; k < A.size(); ++k) {
      solution.lambda[k] += more[k];
      for (std::size_t j = 0; j < a.size(); ++j) solution.u[j] += responses[k][j] * more[k];
    }
  };
  std::vector<Expr> left, sizes;
  for (std::size_t k = 0; k < A.size(); ++k) {
    left.push_back(missed(k));
    sizes.push_back(expr::absolute(b[k]) + parts(k));
  }
  meet(std::move(left));
  left.clear();
  const double tolerance = refinements > 0 ? tolerance::kQuadratic : tolerance::kConverged;
  for (std::size_t k = 0; k < A.size(); ++k) {
    left.push_back(missed(k));
    raise(solution.residual, expr::absolute(left[k]) - tolerance * (sizes[k] + S.parts(k, solution.lambda) + parts(k)));
  }
  if (refinements > 0) meet(std::move(left));
  if (!solution.residual.is_valid()) solution.residual = zero;
  if (S.contraction().is_valid()) raise(solution.contraction, S.contraction());
  return solution;
}

}  // namespace vinculum::solve
