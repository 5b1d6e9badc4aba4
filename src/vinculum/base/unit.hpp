#pragma once

#include <optional>
#include <span>
#include <string>
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
  std::string_view si = {};  ///< its SI unit, where the dimension alone does not say it: "rad"
};
[[nodiscard]] std::span<const UnitInfo> unit_table();

struct UnitValue {
  double scale = 1.0;
  Dimension dimension;
};
/// A unit by its name, prefix included; nothing where there is none of that name.
[[nodiscard]] std::optional<UnitValue> find_unit(std::string_view name);
/// The name of the unit that a word means: "m" of `meter` and `metres`, "kg" of `kilograms`, "s" of `sec`; "N*m*s" of
/// `Nms`; "s^2" of `s2`. Empty where there is none.
[[nodiscard]] std::string unit_of_word(std::string_view word);
/// The SI unit of what the unit measures: "m" of `mm`, "rad" of `deg`, "rad/s" of `rpm`, "N" of `lbf`; "1" of
/// `percent`.
/// \pre there is a unit of that name
[[nodiscard]] std::string si_name(std::string_view name);

/// How the numbers of a quantity are written: for programs in SI, for people in the unit that its declaration states.
struct UnitText {
  std::string si, shown;  ///< "rad", "deg"; both empty for a number without dimension
  double scale = 1.0;     ///< SI = number shown × scale
  friend bool operator==(const UnitText&, const UnitText&) = default;
};
/// Where nothing is declared: SI for both.
[[nodiscard]] UnitText unit_text(const Dimension& dimension);
/// Of the time derivative: "deg/s" of "deg", "m/s^2" of "m/s". \pre the unit is not empty
[[nodiscard]] UnitText per_second(UnitText unit);

}  // namespace vinculum
