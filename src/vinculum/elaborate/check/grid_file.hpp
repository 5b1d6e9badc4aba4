#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "vinculum/elaborate/check/report.hpp"

namespace vinculum::elaborate {

/// Values on a grid, in SI units, with the dimensions stated in the header.
struct Grid {
  std::vector<double> x, y;  ///< strictly increasing, at least two of each
  std::vector<double> z;     ///< [x × y] values, those of the first x first
  Dimension x_dimension, y_dimension, z_dimension;
};

/// Reads a grid: a line with an empty cell and the values of y, then one line for each x, which begins with x. An
/// additional line before these may contain three titles with units: of x, of y and of the values.
/// \param range  range of the file name in the model, for diagnostics (kFileNotFound, kBadTable).
[[nodiscard]] std::optional<Grid> read_grid(const std::filesystem::path& folder, const std::string& name,
                                            diag::SourceRange range, Reporter& reporter);

}  // namespace vinculum::elaborate
