#pragma once

#include <vector>

#include "vinculum/equations/formulation.hpp"
#include "vinculum/exports/program.hpp"

namespace vinculum::report {

/// Returns dense solver functions for a program of the given form: `solve(M, mass, f, A, b) -> udot, lambda`, also
/// `solve_with_efforts` if there are actuator efforts, and their helper functions. They use the sizes NU (speeds) and
/// NI (rows enforced by multipliers) of the program.
///  * explicit: Cholesky factorization of M and pivoted orthogonalization of the rows.
///  * augmented: elimination with complete pivoting of the whole matrix of size NS = NU + NI.
///  * minimal: sizes NW and ND (independent and dependent speeds), index lists independent, dependent, pivot_rows.
///
/// The argument `mass` contains scales of the speeds: the diagonal of M. If M may be indefinite, it is the diagonal
/// without the terms that multipliers add.
/// \param has_indefinite_mass  M is indefinite, so the explicit form is solved in the same way as the augmented form.
[[nodiscard]] std::vector<Function> solvers(equations::Formulation form, bool has_efforts, bool has_indefinite_mass);

/// `correction(M, A, r, size) -> w`, with helper functions that `solvers` may contain too: the least w in the metric of
/// M with A w = r, for the sizes NU and NC (all rows) of the program.
/// \param is_iterated  also `largest_of(x, n)`, the largest absolute value, for the test of convergence
[[nodiscard]] std::vector<Function> solver_of_corrections(bool is_iterated);

/// `highest(J, r) -> x` with size NT: solves J x = r by equilibration of rows and columns, complete pivoting, and one
/// step of iterative refinement.
[[nodiscard]] std::vector<Function> solver_of_higher_order();

}  // namespace vinculum::report
