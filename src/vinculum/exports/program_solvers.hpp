#pragma once

#include <vector>

#include "vinculum/equations/formulation.hpp"
#include "vinculum/exports/program.hpp"

namespace vinculum::report {

/// Dense solver functions for a program of the given form: `solve(M, mass, f, A, b) -> udot, lambda`,
/// `solve_with_efforts` if there are actuator efforts, and their helpers. They use the program's sizes NU and NI
/// (rows enforced by multipliers).
///   * explicit: Cholesky of M and pivoted orthogonalization of the rows.
///   * augmented: the whole matrix of size NS = NU + NI, complete pivoting.
///   * minimal: sizes NW and ND, index lists independent, dependent, pivot_rows.
///
/// `mass` scales the speeds: the diagonal of M, or the part of it that need not vanish.
/// \param has_indefinite_mass  the explicit form is then solved like the augmented one, because Cholesky cannot
/// factor M.
[[nodiscard]] std::vector<Function> solvers(equations::Formulation form, bool has_efforts, bool has_indefinite_mass);

/// `highest(J, r) -> x` with size NT: solves J x = r by equilibration of rows and columns, complete pivoting, and one
/// step of iterative refinement.
[[nodiscard]] std::vector<Function> solver_of_higher_order();

}  // namespace vinculum::report
