#pragma once

#include <string>
#include <vector>

#include "vinculum/base/outcome.hpp"
#include "vinculum/exports/derive_lines.hpp"

namespace vinculum::report {

/// Definition of the additional motion variables w = B u + β, one per ideal row that makes a speed dependent.
struct AdditionalRows {
  std::vector<std::vector<expr::Expr>> B;  ///< [ideal_rows][nu] ∂w/∂u; ∂w'/∂u' if a row is not linear in the speeds
  std::vector<expr::Expr> w;               ///< [ideal_rows] in t, q, u; not valid if only the rate w' is defined
};
/// Returns the additional variables for the choices kVanishing and kAbsolute. \returns kSingularKinematics if a row
/// contains no point and no body.
[[nodiscard]] Outcome<AdditionalRows> additional_rows(const Derivation& derivation);

/// The additional motion variables w of a minimal form, and Kane's equations for them. At fixed independent speeds u_I,
/// the dependent speeds u_D have the derivative ∂u_D/∂w = G. Kane's equations F_r + F*_r = 0 (generalized active plus
/// inertia force) of the variables w contain the multipliers λ of the ideal rows:
///
///   Eᵀ λ = R,   E = A_D G,   R = Gᵀ (M u' − f − C − Γᵀe)_D
///
/// λ is the same for every choice of w. For kVanishing E is the identity in the pivot rows: each equation contains one
/// multiplier, and the equations of u_I contain none.   Source: [R] 2.5, 2.5.2; theory.md §5.10. Test:
/// tests/agreement/additional_test.cpp.
struct AdditionalVariables {
  std::vector<std::string> names;          ///< [m] names, such as "u(c)[2]"; for kSpeeds those of the dependent speeds
  std::vector<expr::Expr> w;               ///< [m] in t, q, u; not valid if only the rate w' is defined
  std::vector<std::vector<expr::Expr>> G;  ///< [dependent][m] ∂u_D/∂w at fixed u_I
  /// [m][independent] −G B is the derivative of the dependent speeds with respect to u_I at fixed w.
  std::vector<std::vector<expr::Expr>> B;
  std::vector<std::vector<expr::Expr>> E;  ///< [ideal_rows][m] factors of the multipliers λ
  std::vector<expr::Expr> R;               ///< [m] right sides, in t, q, u, z, u' and efforts
};
/// Derives the additional variables. Adds nodes to the graph. \pre the derivation has the minimal form.
[[nodiscard]] AdditionalVariables additional_variables(const Derivation& derivation);

/// Adds the section on additional variables to a listing: definitions, partial velocities, equations.
void list_additional(Lines& lines, const Derivation& derivation);

}  // namespace vinculum::report
