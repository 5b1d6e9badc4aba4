#pragma once

#include <string>
#include <vector>

#include "vinculum/exports/derive_report.hpp"

namespace vinculum::report {

/// Printed equations describe slip: the stored directions of friction are replaced by v/|v|.
[[nodiscard]] std::vector<expr::Expr> of_sliding(const equations::System& system, std::vector<expr::Expr> all);

/// Solves D X = R for square D whose diagonal pivots, in this order, are not zero. X replaces R; D is overwritten.
void eliminate(std::vector<std::vector<expr::Expr>>& D, std::vector<std::vector<expr::Expr>>& R);

/// The minimal form in symbols (theory.md §7): u_d' = X w' + c for the dependent speeds, u' = V w' + (0, c), and VᵀMV
/// w' = Vᵀ(f + C − M (0, c)).
struct Reduction {
  std::vector<std::vector<expr::Expr>> X;  ///< [dependent][independent] −A_d⁻¹ A_i
  std::vector<expr::Expr> c;               ///< [dependent] A_d⁻¹ b
  std::vector<std::vector<expr::Expr>> V;  ///< [nu][independent]
  std::vector<std::vector<expr::Expr>> M;  ///< [independent][independent]
  std::vector<expr::Expr> f;               ///< [independent]
  bool is_linear = false;                  ///< all pivot rows are at position or velocity level and affine in u
  std::vector<expr::Expr> u_dependent;     ///< [dependent] as functions of the independent speeds, if `is_linear`
};
/// Eliminates in the order of the pivots. Adds nodes to the system's graph.
[[nodiscard]] Reduction reduce(const Derivation& derivation);

/// u' and λ of the explicit form in symbols. Only if M is diagonal or at most 3 × 3, and there are at most two ideal
/// rows.
struct Solved {
  std::vector<expr::Expr> lambda;  ///< [ideal_rows] in t, q, u
  std::vector<expr::Expr> u_dot;   ///< [nu] in t, q, u and λ
};
/// Empty if the system is larger, if u' or multipliers occur on the right sides, or if an equation has more than
/// `most_size` printed nodes.
[[nodiscard]] Solved solve_by_hand(const Derivation& derivation, std::size_t most_size = 250);

}  // namespace vinculum::report
