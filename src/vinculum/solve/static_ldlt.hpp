#pragma once

#include <span>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::solve {

/// Mass matrix and constraint Jacobian as expressions.
struct SymbolicSystem {
  int nu = 0;
  std::vector<expr::Expr> M;                 ///< [nu×nu] row by row, symmetric
  std::vector<std::vector<expr::Expr>> A;    ///< [nc][nu]
};

/// What generation may rely on, found numerically at build time (`analyze_structure`).
struct StaticStructure {
  /// Row i is `factor[i]` times row `representative[i]`, identically; representative[i] == i for those that are kept.
  std::vector<int> representative;
  std::vector<double> factor;
  bool is_mass_singular = false;             ///< M is singular everywhere: H = M + AᵀWA takes its place
  double mass_scale = 1.0;                   ///< mean diagonal of M, the unit of W
  int generic_rank = 0;                      ///< rank of A at random states
};

/// Answer of the static solve as expressions, with what one needs to trust it.
struct StaticSolution {
  std::vector<expr::Expr> u;                 ///< [nu]
  std::vector<expr::Expr> lambda;            ///< [nc] dropped multiples share with their representative at minimum norm
  expr::Expr residual;                       ///< final residual against the exact equations, relative; ≤ 1e-14 is good
  expr::Expr contraction;                    ///< |r_last| / |r_before|; ≤ 0.1 is good
};

/// Tier S of the one linear problem: static-order sparse LDLᵀ of the quasi-definite K_eps = [M Aᵀ; A −eps] as straight-
/// line expressions, with refinements against the exact K. Accepted at run time only where `residual` and
/// `contraction` are good; otherwise ConstrainedSolve decides (theory.md §3, docs/numerics.md).
class StaticLdlt {
 public:
  StaticLdlt(const SymbolicSystem& system, const StaticStructure& structure);
  /// For the right-hand side (r_f, r_b) of  [M −Aᵀ; A 0] [u; λ] = [r_f; r_b].
  [[nodiscard]] StaticSolution solve(std::span<const expr::Expr> r_f, std::span<const expr::Expr> r_b, int refinements) const;

  static constexpr double kTolResidual = 1e-14;
  static constexpr double kTolContraction = 0.1;

 private:
  // order, factors: see the .cpp
};

/// Evaluates M, A, b at the given states ([states][inputs], a value for each of `inputs`) and finds the structure that
/// StaticLdlt may rely on. Rows count as multiples only if A and b are, at every state.
[[nodiscard]] StaticStructure analyze_structure(const SymbolicSystem& system, std::span<const expr::Expr> b,
                                                std::span<const expr::Expr> inputs,
                                                std::span<const std::vector<double>> states);

}  // namespace vinculum::solve
