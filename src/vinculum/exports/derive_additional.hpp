#pragma once

#include <string>
#include <vector>

#include "vinculum/base/outcome.hpp"
#include "vinculum/exports/derive_lines.hpp"

namespace vinculum::report {

/// w = B u + β of every ideal row.
struct AdditionalRows {
  std::vector<std::vector<expr::Expr>> B;  ///< [ideal_rows][nu] ∂w/∂u, ∂w'/∂u' where a row is not linear in the speeds
  std::vector<expr::Expr> w;               ///< [ideal_rows] of t, q, u; not valid where only w' is one
};
/// Of kVanishing or kAbsolute. \returns kSingularKinematics where a row names no point or body.
[[nodiscard]] Outcome<AdditionalRows> additional_rows(const Derivation& derivation);

/// The additional motion variables of a minimal form, and Kane's equations for them. With the independent speeds u_I
/// held, ∂u_D/∂w = G, so that F_r + F*_r = 0 of the w with the multipliers in evidence is
///
///   Eᵀ λ = R,   E = A_D G,   R = Gᵀ (M u' − f − C − Γᵀe)_D
///
/// for every choice of w, and λ does not depend on it. Those that vanish have E = 1 for the rows of pivots: one
/// multiplier in each equation, and none in the equations of u_I.   Source: [R] 2.5, 2.5.2; theory.md §5.10.
/// Law: tests/agreement/additional_test.cpp.
struct AdditionalVariables {
  std::vector<std::string> names;          ///< [m] "u(c)[2]"; of kSpeeds those of the dependent speeds
  std::vector<expr::Expr> w;               ///< [m] of t, q, u; not valid where only w' is one
  std::vector<std::vector<expr::Expr>> G;  ///< [dependent][m]
  std::vector<std::vector<expr::Expr>> B;  ///< [m][independent]: −G B is what the dependent speeds lose to u_I
  std::vector<std::vector<expr::Expr>> E;  ///< [ideal_rows][m]
  std::vector<expr::Expr> R;               ///< [m] of t, q, u, z, u' and efforts
};
/// Grows the graph. \pre the form is minimal.
[[nodiscard]] AdditionalVariables additional_variables(const Derivation& derivation);

/// Their section of a listing: definitions, partial velocities, equations.
void list_additional(Lines& lines, const Derivation& derivation);

}  // namespace vinculum::report
