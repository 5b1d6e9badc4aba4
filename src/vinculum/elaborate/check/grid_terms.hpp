#pragma once

#include <string>

#include "vinculum/elaborate/check/grid_file.hpp"
#include "vinculum/elaborate/check/table_options.hpp"
#include "vinculum/model/term.hpp"

namespace vinculum::elaborate {

/// The value of a table with two arguments at (x, y). In each cell of the grid it is a polynomial in x and y, whose
/// coefficients are looked up by the index of the cell. The option `spline` gives the tensor product of not-a-knot
/// splines, `linear` and `hold` that of straight lines and of held values. `smooth` interpolates along y for four
/// neighboring values of x in the grid, then along x; both interpolations are monotone.
///
/// The index of the cell jumps at the grid lines, so these are switching surfaces.
/// \param name  name of the file, for messages.   Test: table_grid_test.cpp.
[[nodiscard]] model::Term grid_term(model::TermPool& pool, const Grid& grid, const std::string& name,
                                    const TableOptions& options, model::Term x, model::Term y);

}  // namespace vinculum::elaborate
