#pragma once

#include <vector>

#include "vinculum/equations/formulation.hpp"
#include "vinculum/exports/program.hpp"

namespace vinculum::report {

/// The dense solver that a program carries for its form: `solve(M, mass, f, A, b) -> udot, lambda` over the program's
/// sizes NU and NI (rows kept by multipliers), `solve_with_efforts` where efforts are to be found, and what they call.
/// Explicit: Cholesky of M and pivoted orthogonalization of the rows. Augmented: the whole matrix, complete pivoting,
/// NS = NU + NI. Minimal: over the sizes NW, ND and the lists independent, dependent, pivot_rows.
/// mass is the inertia that gives each speed its size: the diagonal of M, or what of it need not vanish.
/// \param has_indefinite_mass  then the explicit form is solved as the augmented one: Cholesky factors no such M.
[[nodiscard]] std::vector<Function> solvers(equations::Formulation form, bool has_efforts, bool has_indefinite_mass);

/// `highest(J, r) -> x` over the size NT: J x = r with rows and columns in the scale of their largest entries, complete
/// pivoting, and once more for what rounding left.
[[nodiscard]] std::vector<Function> solver_of_higher_order();

}  // namespace vinculum::report
