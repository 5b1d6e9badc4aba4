#pragma once

#include <string>

#include "vinculum/dynamics/formulation.hpp"
#include "vinculum/expr/code.hpp"

namespace vinculum::out {

/// Text of the dense solver that a derived file carries for its form: a function `solve(M, f, A, b, udot, lambda)` over
/// the file's constants NU and NI (rows kept by multipliers), and `least_norm` where efforts are to be found. Explicit:
/// Cholesky of M and pivoted orthogonalization of the rows. Augmented: the whole matrix, complete pivoting. Minimal:
/// over the file's constants NW, ND and lists independent, dependent, pivot_rows.
/// \param has_indefinite_mass  then the explicit form is solved as the augmented one, and `solve(M, mass, f, …)` takes
/// the inertia of
///                             each speed without what need not be positive, for the sizes of things.
/// All return 0, or 1 undetermined, 2 contradicting rows, 3 the choice of dependent speeds is singular here.
[[nodiscard]] std::string solver_text(dynamics::Formulation form, expr::CodeLanguage language, bool has_efforts,
                                      bool has_indefinite_mass = false);

}  // namespace vinculum::out
