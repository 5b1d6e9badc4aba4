#include "vinculum/elaborate/check/table_file.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "vinculum/elaborate/check/column_file.hpp"

namespace vinculum::elaborate {
namespace {

using diag::Kind;
using expr::Spline;

/// The column that the options name; the second column if they name none.
std::optional<std::size_t> column_of(const ColumnFile& file, const std::string& name, const TableOptions& options,
                                     diag::SourceRange range, Reporter& reporter) {
  if (!options.column.empty()) {
    for (std::size_t k = 0; k < file.columns.size(); ++k)
      if (file.columns[k].name == options.column) return k;
    reporter.error(Kind::kBadTable, options.column_range,
                   file.has_header ? "`" + name + "` has no column " + quote(options.column)
                                   : "`" + name + "` has no header, so no column has a title",
                   diag::hint_among(options.column, file.names()));
    return std::nullopt;
  }
  if (file.columns.size() == 2) return 1;
  reporter.error(Kind::kBadTable, range, fmt::format("`{}` has {} columns", name, file.columns.size()),
                 file.has_header ? "name one: `column \"" + file.columns[1].name + "\"`"
                                 : "write their titles in the first line, and name one: `column \"F\"`");
  return std::nullopt;
}

}  // namespace

std::optional<Table> read_table(const std::filesystem::path& folder, const std::string& name,
                                const TableOptions& options, diag::SourceRange range, Reporter& reporter) {
  std::optional<ColumnFile> file = read_column_file(folder, name, "a table", range, reporter);
  if (!file) return std::nullopt;
  const std::optional<std::size_t> column = column_of(*file, name, options, range, reporter);
  if (!column) return std::nullopt;
  std::string problem = fault_of_numbers(*file, 0);
  if (problem.empty()) problem = fault_of_numbers(*file, *column);
  if (problem.empty()) problem = fault_of_order(*file, 0, "the first column");
  if (problem.empty() && file->rows() < 2) problem = "a table has two rows at least";
  std::vector<double> x = file->columns[0].values, y = file->columns[*column].values;
  if (problem.empty() && options.is_periodic && y.front() != y.back())
    problem = fmt::format("the first and the last value of a periodic table are equal, found {} and {}",
                          y.front() / file->columns[*column].unit.scale, y.back() / file->columns[*column].unit.scale);
  if (!problem.empty()) {
    reporter.error(Kind::kBadTable, range, "`" + name + "`, " + problem);
    return std::nullopt;
  }
  const Spline::Reach reach = options.is_periodic                  ? Spline::Reach::kPeriodic
                              : options.outside == Outside::kError ? Spline::Reach::kInside
                                                                   : Spline::Reach::kEndPieces;
  return Table{std::make_shared<const Spline>(name, std::move(x), std::move(y), Spline::Shape{options.kind, reach}),
               file->columns[0].unit.dimension, file->columns[*column].unit.dimension, file->columns[0].name};
}

}  // namespace vinculum::elaborate
