#pragma once

#include <string>
#include <vector>

#include "vinculum/exports/derive_report.hpp"

namespace vinculum::report {

/// Equations as text are those of sliding: v/|v| in the place of directions held.
[[nodiscard]] std::vector<expr::Expr> of_sliding(const equations::System& system, std::vector<expr::Expr> all);

/// D X = R for square D whose diagonal pivots, in this order, do not vanish; X is left in R, D is used up.
void eliminate(std::vector<std::vector<expr::Expr>>& D, std::vector<std::vector<expr::Expr>>& R);

/// The minimal form in symbols (theory.md §7): u_d' = X w' + c for the dependent speeds, u' = V w' + (0, c), and
/// VᵀMV w' = Vᵀ(f + C − M (0, c)).
struct Reduction {
  std::vector<std::vector<expr::Expr>> X;  ///< [dependent][independent] −A_d⁻¹ A_i
  std::vector<expr::Expr> c;               ///< [dependent] A_d⁻¹ b
  std::vector<std::vector<expr::Expr>> V;  ///< [nu][independent]
  std::vector<std::vector<expr::Expr>> M;  ///< [independent][independent]
  std::vector<expr::Expr> f;               ///< [independent]
  bool is_linear = false;                  ///< all pivot rows are of position or velocity level and affine in u
  std::vector<expr::Expr> u_dependent;     ///< [dependent] from the independent ones, where is_linear
};
/// Eliminates in the order of the pivots. Grows the system's graph.
[[nodiscard]] Reduction reduce(const Derivation& derivation);

/// u' and λ of the explicit form in symbols, where M is diagonal or has at most three rows, and the ideal rows at most
/// two.
struct Solved {
  std::vector<expr::Expr> lambda;  ///< [ideal_rows] in t, q, u
  std::vector<expr::Expr> u_dot;   ///< [nu] in t, q, u and the multipliers
};
/// Empty where it is not that small, where the right sides hold u' or multipliers themselves, or the result not worth
/// reading (`most_size` printed nodes an equation).
[[nodiscard]] Solved solve_by_hand(const Derivation& derivation, std::size_t most_size = 250);

}  // namespace vinculum::report
