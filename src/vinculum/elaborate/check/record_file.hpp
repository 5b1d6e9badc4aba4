#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "vinculum/base/dimension.hpp"

namespace vinculum::elaborate {

/// A column of a CSV file over the time, in SI units.
struct RecordFile {
  std::vector<double> t, values;  ///< [rows]
  Dimension dimension;            ///< of the values, from the unit in the title
  bool has_unit = false;          ///< whether the title of the column gives a unit
  std::string problem;            ///< why there is no record, with the line; empty if there is none
};

/// Reads the values of an input from a file: columns divided by commas, the first one the time, with titles and units
/// in the first line, `t [s], force [kN]`. Empty lines and lines that begin with `#` are skipped. With several columns
/// after the time, the column whose title is the name of the input counts.
[[nodiscard]] RecordFile read_record(const std::filesystem::path& file, const std::string& input);

}  // namespace vinculum::elaborate
