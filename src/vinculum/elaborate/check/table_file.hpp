#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "vinculum/elaborate/check/report.hpp"
#include "vinculum/expr/spline.hpp"

namespace vinculum::elaborate {

/// A two-column table in SI units, with the dimensions given in its header.
struct Table {
  std::shared_ptr<const expr::Spline> spline;
  Dimension x, y;
};

/// Reads a file with two columns separated by commas. It must be below `folder`: absolute names, `..` and links that
/// lead outside are refused. Empty lines and lines that begin with `#` are skipped. The first line may contain column
/// titles with units: `time [s], force [kN]`. x must increase strictly; at least two rows, at most 64 MiB.
/// \param range  of the file name in the model, for diagnostics (kFileNotFound, kBadTable).
[[nodiscard]] std::optional<Table> read_table(const std::filesystem::path& folder, const std::string& name,
                                              diag::SourceRange range, Reporter& reporter);

}  // namespace vinculum::elaborate
