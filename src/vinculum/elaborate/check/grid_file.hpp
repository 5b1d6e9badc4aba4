#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "vinculum/elaborate/check/report.hpp"

namespace vinculum::elaborate {

/// Values on a grid, in SI units, with the dimensions given in the header.
struct Grid {
  std::vector<double> x, y;  ///< strictly increasing, at least two of each
  std::vector<double> z;     ///< [x × y] values, one x after another
  Dimension x_dimension, y_dimension, z_dimension;
};

/// Reads a grid: a row with an empty cell and the values of y, then one row for each x, with x first. The first line
/// may contain three titles with units: of x, of y and of the values.
/// \param range  of the file name in the model, for diagnostics (kFileNotFound, kBadTable).
[[nodiscard]] std::optional<Grid> read_grid(const std::filesystem::path& folder, const std::string& name,
                                            diag::SourceRange range, Reporter& reporter);

}  // namespace vinculum::elaborate
