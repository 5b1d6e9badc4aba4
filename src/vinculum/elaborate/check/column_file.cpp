#include "vinculum/elaborate/check/column_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "vinculum/elaborate/check/csv_line.hpp"
#include "vinculum/elaborate/check/model_folder.hpp"

namespace vinculum::elaborate {
namespace {

using diag::Kind;

constexpr std::uintmax_t kLargestFile = std::uintmax_t{64} << 20;

/// Reads the titles of the columns. \returns the description of an error, or an empty text.
std::string read_header(ColumnFile& file, const std::vector<std::string_view>& cells) {
  for (const std::string_view cell : cells) {
    ColumnTitle title = read_title(cell);
    if (!title.unit) return fmt::format("the unit of the column `{}` cannot be read", cell);
    file.columns.push_back({std::move(title.name), *title.unit, {}});
  }
  file.has_header = true;
  file.titles = cells.size();
  return {};
}

std::string add_row(ColumnFile& file, const std::vector<std::string_view>& cells, int line, Cells rule) {
  const bool is_first = file.lines.empty();
  if (is_first && (!file.has_header || rule == Cells::kOfOwnInHeader)) {
    file.columns.resize(std::max(file.columns.size(), cells.size()));
  } else if (cells.size() != (is_first ? file.columns.size() : file.first_cells.size())) {
    return fmt::format("{} cells, but {} in the lines before", cells.size(),
                       is_first ? file.columns.size() : file.first_cells.size());
  }
  if (is_first) file.first_cells.assign(cells.begin(), cells.end());
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const std::optional<double> number = read_number(cells[k]);
    const double scale = rule == Cells::kOfOwnInHeader ? 1.0 : file.columns[k].unit.scale;
    file.columns[k].values.push_back(number ? *number * scale : std::numeric_limits<double>::quiet_NaN());
  }
  file.lines.push_back(line);
  return {};
}

}  // namespace

std::vector<std::string> ColumnFile::names() const {
  std::vector<std::string> all;
  for (const Column& column : columns)
    if (!column.name.empty()) all.push_back(column.name);
  return all;
}

ColumnFile read_columns(std::istream& stream, Cells cells) {
  ColumnFile file;
  std::string line;
  for (int number = 1; std::getline(stream, line) && file.problem.empty(); ++number) {
    if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
    const std::string_view text = trimmed(line);
    if (text.empty() || text.front() == '#') continue;
    const std::vector<std::string_view> row = cells_of(text);
    const bool may_be_header = file.lines.empty() && !file.has_header;
    const bool is_header =
        may_be_header && std::ranges::none_of(row, [](std::string_view cell) { return read_number(cell).has_value(); });
    if (row.size() < 2)
      file.problem = "columns are divided by commas";
    else
      file.problem = is_header ? read_header(file, row) : add_row(file, row, number, cells);
    if (!file.problem.empty()) file.problem = fmt::format("line {}: {}", number, file.problem);
  }
  if (file.problem.empty() && file.lines.empty()) file.problem = "the file has no rows of numbers";
  return file;
}

std::optional<ColumnFile> read_column_file(const std::filesystem::path& folder, const std::string& name,
                                           std::string_view what, diag::SourceRange range, Reporter& reporter,
                                           Cells cells) {
  const Located located = locate_below(folder, name, what, kLargestFile);
  if (!located.problem.empty()) {
    reporter.error(Kind::kFileNotFound, range, located.problem);
    return std::nullopt;
  }
  std::ifstream stream(located.file, std::ios::binary);
  if (!stream) {
    reporter.error(Kind::kFileNotFound, range, "the file `" + name + "` cannot be read");
    return std::nullopt;
  }
  ColumnFile file = read_columns(stream, cells);
  if (file.problem.empty()) return file;
  reporter.error(Kind::kBadTable, range, "`" + name + "`, " + file.problem);
  return std::nullopt;
}

std::string fault_of_numbers(const ColumnFile& file, std::size_t column) {
  const ColumnFile::Column& one = file.columns[column];
  const auto at = std::ranges::find_if(one.values, [](double x) { return std::isnan(x); });
  if (at == one.values.end()) return {};
  const std::string name = one.name.empty() ? fmt::format("number {}", column + 1) : "`" + one.name + "`";
  return fmt::format("line {}: the cell of column {} is not a finite number",
                     file.lines[static_cast<std::size_t>(at - one.values.begin())], name);
}

std::string fault_of_order(const ColumnFile& file, std::size_t column, std::string_view title) {
  const std::vector<double>& x = file.columns[column].values;
  const auto at = std::ranges::adjacent_find(x, [](double a, double b) { return !(a < b); });
  if (at == x.end()) return {};
  return fmt::format("line {}: {} increases from row to row", file.lines[static_cast<std::size_t>(at - x.begin()) + 1],
                     title);
}

}  // namespace vinculum::elaborate
