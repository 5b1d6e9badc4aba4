#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/base/unit.hpp"

namespace vinculum::elaborate {

/// Text without blanks at its ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);
/// Cells of a line, divided by commas, without the blanks around them.
[[nodiscard]] std::vector<std::string_view> cells_of(std::string_view line);
/// A finite number; nothing for another text.
[[nodiscard]] std::optional<double> read_number(std::string_view text);

/// Title of a column with the unit at its end, `force [kN]`.
struct ColumnTitle {
  std::string name;
  std::optional<UnitValue> unit;  ///< dimensionless if none is stated; nothing if it cannot be read
  bool has_unit = false;          ///< whether one is stated
};
[[nodiscard]] ColumnTitle read_title(std::string_view text);

}  // namespace vinculum::elaborate
