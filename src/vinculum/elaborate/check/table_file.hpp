#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "vinculum/elaborate/check/report.hpp"
#include "vinculum/expr/spline.hpp"

namespace vinculum::elaborate {

/// A two-column table: in SI units, with the dimensions that its header states.
struct Table {
  std::shared_ptr<const expr::Spline> spline;
  Dimension x, y;
};

/// Reads a file of two columns divided by commas, below `folder` and nowhere else: absolute names, `..` and links that
/// lead outside are refused. Empty lines and lines that begin with `#` are skipped; the first line may name the
/// columns, with units: `time [s], force [kN]`. x increases strictly, at least two rows, at most 64 MiB.
/// \param range  of the file's name in the model, for diagnostics (kFileNotFound, kBadTable).
[[nodiscard]] std::optional<Table> read_table(const std::filesystem::path& folder, const std::string& name,
                                              diag::SourceRange range, Reporter& reporter);

}  // namespace vinculum::elaborate
