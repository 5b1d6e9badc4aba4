#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "vinculum/base/dimension.hpp"

namespace vinculum {

/// A unit of measure: value in SI = value × scale. One row each in `unit_table()`; `mm`, `km`, `kN` … follow from
/// prefixes on the rows that take them.
struct UnitInfo {
  std::string_view name;
  double scale;
  Dimension dimension;
  bool takes_prefixes;
  std::string_view meaning;
};
[[nodiscard]] std::span<const UnitInfo> unit_table();

struct UnitValue {
  double scale = 1.0;
  Dimension dimension;
};
/// A unit by its name, prefix included; nothing where there is none of that name.
[[nodiscard]] std::optional<UnitValue> find_unit(std::string_view name);

}  // namespace vinculum
