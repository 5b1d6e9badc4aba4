#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "vinculum/elaborate/check/report.hpp"
#include "vinculum/elaborate/check/table_options.hpp"
#include "vinculum/expr/spline.hpp"

namespace vinculum::elaborate {

/// A column of a table as a function of the first column, in SI units, with the dimensions stated in the header.
struct Table {
  std::shared_ptr<const expr::Spline> spline;
  Dimension x, y;
  std::string title;  ///< of the first column; empty if the file has no header
};

/// Reads a table from a file of columns (column_file.hpp). The first column must increase strictly and have at least
/// two rows. Without the option `column` the file must have two columns. The values at the two ends of a periodic table
/// must be equal.
/// \param range  range of the file name in the model, for diagnostics (kFileNotFound, kBadTable).
[[nodiscard]] std::optional<Table> read_table(const std::filesystem::path& folder, const std::string& name,
                                              const TableOptions& options, diag::SourceRange range, Reporter& reporter);

}  // namespace vinculum::elaborate
