#pragma once

#include <string>

#include "vinculum/elaborate/check/grid_file.hpp"
#include "vinculum/elaborate/check/table_options.hpp"
#include "vinculum/model/term.hpp"

namespace vinculum::elaborate {

/// The value of a table with two arguments at (x, y): in each cell of the grid a polynomial in both, whose coefficients
/// are looked up by the number of the cell. `spline` is the tensor product of not-a-knot splines, `linear` and `hold`
/// those of straight lines and held values. `smooth` interpolates along y in four rows, then along x, each time
/// monotone.
///
/// The numbers of the cell jump at the lines of the grid, which therefore are switching surfaces.
/// \param name  of the file, for messages.   Test: table_grid_test.cpp.
[[nodiscard]] model::Term grid_term(model::TermPool& pool, const Grid& grid, const std::string& name,
                                    const TableOptions& options, model::Term x, model::Term y);

}  // namespace vinculum::elaborate
