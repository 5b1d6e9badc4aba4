#pragma once

#include <string>
#include <vector>

#include "vinculum/exports/derive_report.hpp"

namespace vinculum::report {

/// Replaces the stored friction directions in `all` by v/|v|, with v the sliding velocity, because printed equations
/// describe slipping contacts. The direction of a load that states friction as `sign(v)` is `sign(v)` again.
[[nodiscard]] std::vector<expr::Expr> of_sliding(const equations::System& system, std::vector<expr::Expr> all);

/// Solves D X = R for a square matrix D whose diagonal pivots, in this order, are not zero. X replaces R; D is
/// overwritten.
void eliminate(std::vector<std::vector<expr::Expr>>& D, std::vector<std::vector<expr::Expr>>& R);

/// The minimal form in symbols (theory.md §7). w' are the rates of the independent speeds. The dependent speeds have
/// the rates u_d' = X w' + c, and all speeds have u' = V w' + (0, c). The equations of motion are VᵀMV w' = Vᵀ(f + C −
/// M (0, c)).
struct Reduction {
  std::vector<std::vector<expr::Expr>> X;  ///< [dependent][independent] −A_d⁻¹ A_i
  std::vector<expr::Expr> c;               ///< [dependent] A_d⁻¹ b
  std::vector<std::vector<expr::Expr>> V;  ///< [nu][independent] factors of w' in u' = V w' + (0, c)
  std::vector<std::vector<expr::Expr>> M;  ///< [independent][independent] VᵀMV
  std::vector<expr::Expr> f;               ///< [independent] Vᵀ(f + C − M (0, c))
  bool is_linear = false;                  ///< all pivot rows are at position or velocity level and affine in u
  std::vector<expr::Expr> u_dependent;     ///< [dependent] as functions of the independent speeds, if `is_linear`
};
/// Computes the minimal form, eliminating the dependent speeds in the order of their pivots. Adds nodes to the system's
/// graph.
[[nodiscard]] Reduction reduce(const Derivation& derivation);

/// Accelerations u' and multipliers λ of the explicit form in symbols. Exists only for M that is diagonal or at most 3
/// × 3, and for at most two ideal rows.
struct Solved {
  std::vector<expr::Expr> lambda;  ///< [ideal_rows] in t, q, u
  std::vector<expr::Expr> u_dot;   ///< [nu] in t, q, u and λ
};
/// Empty if the system is larger, if u' or multipliers occur on both sides of the equations, or if a solution has more
/// than `most_size` nodes in print.
[[nodiscard]] Solved solve_by_hand(const Derivation& derivation, std::size_t most_size = 250);

}  // namespace vinculum::report
