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

/// The columns of a file of numbers divided by commas. Empty lines and lines that begin with `#` are skipped. The first
/// line may contain titles with units, `time [s], force [kN]`; numbers are converted to SI.
struct ColumnFile {
  struct Column {
    std::string name;  ///< title without its unit; empty without a header
    UnitValue unit;
    std::vector<double> values;  ///< [rows] in SI; NaN if the cell is not a finite number
  };
  bool has_header = false;
  std::size_t titles = 0;  ///< cells of the header
  std::vector<Column> columns;
  std::vector<int> lines;                ///< [rows] number of the line
  std::vector<std::string> first_cells;  ///< [columns] cells of the first row as text
  std::string problem;                   ///< empty if the file could be read

  [[nodiscard]] std::size_t rows() const { return lines.size(); }
  [[nodiscard]] std::vector<std::string> names() const;
};

/// How many cells the lines of a file have.
enum class Cells {
  kEqual,         ///< all lines as many
  kOfOwnInHeader  ///< the header may have another number
};

[[nodiscard]] ColumnFile read_columns(std::istream& stream, Cells cells = Cells::kEqual);
/// Reads a file below the folder of the model; absolute names, `..` and links that lead outside are refused. At most 64
/// MiB.
/// \param what   the thing read, with its article, for messages: "a table".
/// \param range  of the file name in the model, for diagnostics (kFileNotFound, kBadTable).
[[nodiscard]] std::optional<ColumnFile> read_column_file(const std::filesystem::path& folder, const std::string& name,
                                                         std::string_view what, diag::SourceRange range,
                                                         Reporter& reporter, Cells cells = Cells::kEqual);

/// "line 3: the first column increases from row to row", or empty if the values increase.
[[nodiscard]] std::string fault_of_order(const ColumnFile& file, std::size_t column, std::string_view title);
/// "line 3: `F` is not a finite number", or empty if all values of the column are numbers.
[[nodiscard]] std::string fault_of_numbers(const ColumnFile& file, std::size_t column);

}  // namespace vinculum::elaborate
