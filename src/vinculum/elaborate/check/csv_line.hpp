#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/base/unit.hpp"

namespace vinculum::elaborate {

/// Text without blanks at its ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);
/// Cells of a line, which are separated by commas, without the blanks around them.
[[nodiscard]] std::vector<std::string_view> cells_of(std::string_view line);
/// The number that the text contains; nothing if the text is not a finite number.
[[nodiscard]] std::optional<double> read_number(std::string_view text);

/// Title of a column with the unit at its end, `force [kN]`.
struct ColumnTitle {
  std::string name;
  std::optional<UnitValue> unit;  ///< dimensionless if no unit is stated; nothing if the stated unit cannot be read
  bool has_unit = false;          ///< whether a unit is stated
};
[[nodiscard]] ColumnTitle read_title(std::string_view text);

}  // namespace vinculum::elaborate
