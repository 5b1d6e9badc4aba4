#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "vinculum/base/dimension.hpp"

namespace vinculum {

/// A unit of measure: value in SI = value × scale. `unit_table()` has one row per unit. Units with prefixes (`mm`,
/// `km`, `kN`) follow from the rows with `takes_prefixes`.
struct UnitInfo {
  std::string_view name;
  double scale;
  Dimension dimension;
  bool takes_prefixes;
  std::string_view meaning;
  std::string_view si = {};  ///< its SI unit, if the dimension alone does not determine it: "rad"
};
[[nodiscard]] std::span<const UnitInfo> unit_table();

struct UnitValue {
  double scale = 1.0;
  Dimension dimension;
};
/// A unit by its name, including a prefix; nothing if there is no unit of that name.
[[nodiscard]] std::optional<UnitValue> find_unit(std::string_view name);
/// The unit that a word probably means: "m" for `meter` and `metres`, "kg" for `kilograms`, "s" for `sec`, "N*m*s" for
/// `Nms`, "s^2" for `s2`. Empty if no unit is recognized.
[[nodiscard]] std::string unit_of_word(std::string_view word);
/// The SI unit with the dimension of the named unit: "m" for `mm`, "rad" for `deg`, "rad/s" for `rpm`, "N" for `lbf`,
/// "1" for `percent`.
/// \pre there is a unit of that name
[[nodiscard]] std::string si_name(std::string_view name);

/// How numbers of a quantity are written: SI in machine-readable output, the declared unit in text for people.
struct UnitText {
  std::string si, shown;  ///< for machines "rad", for people "deg"; both empty for a number without dimension
  double scale = 1.0;     ///< SI = number shown × scale
  friend bool operator==(const UnitText&, const UnitText&) = default;
};
/// The unit text of a quantity without a declared unit; both texts are the SI unit.
[[nodiscard]] UnitText unit_text(const Dimension& dimension);
/// The unit text of the time derivative: "deg/s" for "deg", "m/s^2" for "m/s".   \pre the unit is not empty
[[nodiscard]] UnitText per_second(UnitText unit);

}  // namespace vinculum
