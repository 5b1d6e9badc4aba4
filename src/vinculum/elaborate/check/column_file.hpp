#pragma once

#include <filesystem>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/base/unit.hpp"
#include "vinculum/elaborate/check/report.hpp"

namespace vinculum::elaborate {

/// The columns of a file of numbers that are separated by commas. Empty lines and lines that begin with `#` are
/// skipped. The first line may contain titles with units, `time [s], force [kN]`. Numbers are converted to SI, except
/// with Cells::kOfOwnInHeader.
struct ColumnFile {
  struct Column {
    std::string name;  ///< title without its unit; empty if the file has no header
    UnitValue unit;
    std::vector<double> values;  ///< [rows] in SI (with Cells::kOfOwnInHeader as written); NaN if no finite number
  };
  bool has_header = false;
  std::size_t titles = 0;  ///< number of cells of the header
  std::vector<Column> columns;
  std::vector<int> lines;                ///< [rows] line number in the file
  std::vector<std::string> first_cells;  ///< [columns] cells of the first row as text
  std::string problem;                   ///< empty if the file could be read

  [[nodiscard]] std::size_t rows() const { return lines.size(); }
  [[nodiscard]] std::vector<std::string> names() const;
};

/// Rule for the number of cells per line of a file.
enum class Cells {
  kEqual,         ///< all lines have the same number
  kOfOwnInHeader  ///< the header may have another number than the other lines
};

[[nodiscard]] ColumnFile read_columns(std::istream& stream, Cells cells = Cells::kEqual);
/// Reads a file in or below the folder of the model; absolute names, `..` and links that lead outside are rejected. The
/// file may have at most 64 MiB.
/// \param what   the thing that the file describes, with its article, for messages: "a table".
/// \param range  range of the file name in the model, for diagnostics (kFileNotFound, kBadTable).
[[nodiscard]] std::optional<ColumnFile> read_column_file(const std::filesystem::path& folder, const std::string& name,
                                                         std::string_view what, diag::SourceRange range,
                                                         Reporter& reporter, Cells cells = Cells::kEqual);

/// A message such as "line 3: the first column increases from row to row" if the values of the column do not increase
/// strictly; otherwise empty.
[[nodiscard]] std::string fault_of_order(const ColumnFile& file, std::size_t column, std::string_view title);
/// A message such as "line 3: `F` is not a finite number"; empty if all values of the column are finite numbers.
[[nodiscard]] std::string fault_of_numbers(const ColumnFile& file, std::size_t column);

}  // namespace vinculum::elaborate
