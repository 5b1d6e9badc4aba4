#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "vinculum/base/dimension.hpp"

namespace vinculum::elaborate {

/// A column of a CSV file as a function of time, in SI units.
struct RecordFile {
  std::vector<double> t, values;  ///< [rows] times, and the values at these times
  Dimension dimension;            ///< dimension of the values, from the unit in the title
  bool has_unit = false;          ///< whether the title of the column gives a unit
  std::string problem;            ///< reason why the file contains no record, with the line; empty if it contains one
};

/// Reads the values of an input from a file with columns that are separated by commas. The first line contains titles
/// with units, `t [s], force [kN]`; the first column is the time. Empty lines and lines that begin with `#` are
/// skipped. If several columns follow the time, the column whose title is the name of the input is read.
[[nodiscard]] RecordFile read_record(const std::filesystem::path& file, const std::string& input);

}  // namespace vinculum::elaborate
