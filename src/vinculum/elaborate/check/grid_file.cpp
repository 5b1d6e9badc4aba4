#include "vinculum/elaborate/check/grid_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/elaborate/check/column_file.hpp"

namespace vinculum::elaborate {
namespace {

constexpr std::size_t kTitles = 3;

/// The description of an error in the content of the file, or an empty text.
std::string fault_of(const ColumnFile& file, std::size_t width) {
  if (file.has_header && file.titles != kTitles)
    return fmt::format("{} titles; a table with two arguments has three: of both arguments and of the values",
                       file.titles);
  if (!file.first_cells[0].empty())
    return fmt::format("line {}: the row of the second argument begins with an empty cell", file.lines[0]);
  if (file.rows() < 3 || width < 2) return "a table with two arguments has two rows and two columns of values at least";
  for (std::size_t row = 0; row < file.rows(); ++row)
    for (std::size_t k = row == 0 ? 1 : 0; k <= width; ++k)
      if (std::isnan(file.columns[k].values[row]))
        return fmt::format("line {}: cell {} is not a finite number", file.lines[row], k + 1);
  for (std::size_t k = 2; k <= width; ++k)
    if (!(file.columns[k - 1].values[0] < file.columns[k].values[0]))
      return fmt::format("line {}: the values of the second argument increase from cell to cell", file.lines[0]);
  for (std::size_t row = 2; row < file.rows(); ++row)
    if (!(file.columns[0].values[row - 1] < file.columns[0].values[row]))
      return fmt::format("line {}: the first column increases from row to row", file.lines[row]);
  return {};
}

}  // namespace

std::optional<Grid> read_grid(const std::filesystem::path& folder, const std::string& name, diag::SourceRange range,
                              Reporter& reporter) {
  const std::optional<ColumnFile> file =
      read_column_file(folder, name, "a table", range, reporter, Cells::kOfOwnInHeader);
  if (!file) return std::nullopt;
  const std::size_t width = file->first_cells.size() - 1;
  if (const std::string problem = fault_of(*file, width); !problem.empty()) {
    reporter.error(diag::Kind::kBadTable, range, "`" + name + "`, " + problem);
    return std::nullopt;
  }
  const auto unit = [&](std::size_t k) { return file->has_header ? file->columns[k].unit : UnitValue{}; };
  Grid grid;
  grid.x_dimension = unit(0).dimension;
  grid.y_dimension = unit(1).dimension;
  grid.z_dimension = unit(2).dimension;
  for (std::size_t k = 1; k <= width; ++k) grid.y.push_back(file->columns[k].values[0] * unit(1).scale);
  for (std::size_t row = 1; row < file->rows(); ++row) {
    grid.x.push_back(file->columns[0].values[row] * unit(0).scale);
    for (std::size_t k = 1; k <= width; ++k) grid.z.push_back(file->columns[k].values[row] * unit(2).scale);
  }
  return grid;
}

}  // namespace vinculum::elaborate
