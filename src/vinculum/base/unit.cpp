#include "vinculum/base/unit.hpp"

#include <algorithm>
#include <cctype>
#include <numbers>
#include <string>

#include "vinculum/base/contract.hpp"

namespace vinculum {
namespace {

constexpr Dimension unit_dimension(int mass, int length, int time, int current = 0, int temperature = 0, int amount = 0,
                                   int luminosity = 0) {
  Dimension result;
  const int exponents[] = {mass, length, time, current, temperature, amount, luminosity};
  for (std::size_t i = 0; i < Dimension::kBaseCount; ++i) result.exponents[i].numerator = exponents[i];
  return result;
}

constexpr Dimension kNumber{};
constexpr Dimension kLength = unit_dimension(0, 1, 0);
constexpr Dimension kArea = unit_dimension(0, 2, 0);
constexpr Dimension kVolume = unit_dimension(0, 3, 0);
constexpr Dimension kMass = unit_dimension(1, 0, 0);
constexpr Dimension kTime = unit_dimension(0, 0, 1);
constexpr Dimension kRate = unit_dimension(0, 0, -1);
constexpr Dimension kVelocity = unit_dimension(0, 1, -1);
constexpr Dimension kForce = unit_dimension(1, 1, -2);
constexpr Dimension kEnergy = unit_dimension(1, 2, -2);
constexpr Dimension kPower = unit_dimension(1, 2, -3);
constexpr Dimension kPressure = unit_dimension(1, -1, -2);

constexpr double kPi = std::numbers::pi;
constexpr double kPound = 0.45359237;         // kg, exact by definition (international pound)
constexpr double kFoot = 0.3048;              // m, exact by definition (international foot)
constexpr double kStandardGravity = 9.80665;  // m/s^2, exact by definition
constexpr double kPoundForce = kPound * kStandardGravity;

// Sources: BIPM, The International System of Units, 9th ed. (2019), tables 2, 4, 7, 8; NIST SP 811 (2008), app. B.
constexpr UnitInfo kUnits[] = {
    {"m", 1.0, kLength, true, "metre"},
    {"g", 1e-3, kMass, true, "gram"},
    {"s", 1.0, kTime, true, "second"},
    {"A", 1.0, unit_dimension(0, 0, 0, 1), true, "ampere"},
    {"K", 1.0, unit_dimension(0, 0, 0, 0, 1), true, "kelvin, also of temperature differences"},
    {"mol", 1.0, unit_dimension(0, 0, 0, 0, 0, 1), true, "mole"},
    {"cd", 1.0, unit_dimension(0, 0, 0, 0, 0, 0, 1), true, "candela"},

    {"rad", 1.0, kNumber, true, "radian", "rad"},
    {"deg", kPi / 180.0, kNumber, false, "degree", "rad"},
    {"arcmin", kPi / 10800.0, kNumber, false, "minute of arc", "rad"},
    {"arcsec", kPi / 648000.0, kNumber, false, "second of arc", "rad"},
    {"gon", kPi / 200.0, kNumber, false, "gon, a hundredth of a right angle", "rad"},
    {"rev", 2.0 * kPi, kNumber, false, "revolution, a full turn", "rad"},
    {"turn", 2.0 * kPi, kNumber, false, "full turn", "rad"},
    {"sr", 1.0, kNumber, false, "steradian", "sr"},
    {"percent", 1e-2, kNumber, false, "hundredth"},
    {"Hz", 1.0, kRate, true, "hertz, 1/s: cycles are not converted to radians", "1/s"},
    {"rpm", kPi / 30.0, kRate, false, "revolution per minute, in rad/s", "rad/s"},

    {"min", 60.0, kTime, false, "minute"},
    {"h", 3600.0, kTime, false, "hour"},
    {"d", 86400.0, kTime, false, "day"},
    {"day", 86400.0, kTime, false, "day"},
    {"yr", 31557600.0, kTime, false, "Julian year of 365.25 days"},

    {"N", 1.0, kForce, true, "newton"},
    {"J", 1.0, kEnergy, true, "joule"},
    {"W", 1.0, kPower, true, "watt"},
    {"Pa", 1.0, kPressure, true, "pascal"},
    {"C", 1.0, unit_dimension(0, 0, 1, 1), true, "coulomb"},
    {"V", 1.0, unit_dimension(1, 2, -3, -1), true, "volt"},
    {"ohm", 1.0, unit_dimension(1, 2, -3, -2), true, "ohm"},
    {"S", 1.0, unit_dimension(-1, -2, 3, 2), true, "siemens"},
    {"F", 1.0, unit_dimension(-1, -2, 4, 2), true, "farad"},
    {"H", 1.0, unit_dimension(1, 2, -2, -2), true, "henry"},
    {"Wb", 1.0, unit_dimension(1, 2, -2, -1), true, "weber"},
    {"T", 1.0, unit_dimension(1, 0, -2, -1), true, "tesla"},

    {"t", 1e3, kMass, true, "tonne"},
    {"l", 1e-3, kVolume, true, "litre"},
    {"L", 1e-3, kVolume, true, "litre"},
    {"ha", 1e4, kArea, false, "hectare"},
    {"bar", 1e5, kPressure, true, "bar"},
    {"atm", 101325.0, kPressure, false, "standard atmosphere"},
    {"Wh", 3600.0, kEnergy, true, "watt hour"},
    {"eV", 1.602176634e-19, kEnergy, true, "electronvolt"},
    {"cal", 4.184, kEnergy, true, "thermochemical calorie"},
    {"au", 149597870700.0, kLength, false, "astronomical unit"},
    {"kgf", kStandardGravity, kForce, false, "kilogram-force"},

    {"dyn", 1e-5, kForce, false, "dyne"},
    {"erg", 1e-7, kEnergy, false, "erg"},

    {"in", kFoot / 12.0, kLength, false, "inch"},
    {"inch", kFoot / 12.0, kLength, false, "inch"},
    {"ft", kFoot, kLength, false, "foot"},
    {"yd", 3.0 * kFoot, kLength, false, "yard"},
    {"mi", 5280.0 * kFoot, kLength, false, "mile"},
    {"nmi", 1852.0, kLength, false, "nautical mile"},
    {"mph", 5280.0 * kFoot / 3600.0, kVelocity, false, "mile per hour"},
    {"kph", 1.0 / 3.6, kVelocity, false, "kilometre per hour"},
    {"knot", 1852.0 / 3600.0, kVelocity, false, "knot"},
    {"lb", kPound, kMass, false, "pound"},
    {"lbm", kPound, kMass, false, "pound"},
    {"oz", kPound / 16.0, kMass, false, "ounce"},
    {"slug", kPoundForce / kFoot, kMass, false, "slug"},
    {"lbf", kPoundForce, kForce, false, "pound-force"},
    {"psi", kPoundForce * 144.0 / (kFoot * kFoot), kPressure, false, "pound-force per square inch"},
    {"hp", 550.0 * kFoot* kPoundForce, kPower, false, "mechanical horsepower"},
};

struct Prefix {
  std::string_view name;
  double factor;
  std::string_view word = {};
};

constexpr Prefix kPrefixes[] = {
    {"da", 1e1, "deca"},   {"Y", 1e24, "yotta"},  {"Z", 1e21, "zetta"}, {"E", 1e18, "exa"},    {"P", 1e15, "peta"},
    {"T", 1e12, "tera"},   {"G", 1e9, "giga"},    {"M", 1e6, "mega"},   {"k", 1e3, "kilo"},    {"h", 1e2, "hecto"},
    {"d", 1e-1, "deci"},   {"c", 1e-2, "centi"},  {"m", 1e-3, "milli"}, {"u", 1e-6, "micro"},  {"\xC2\xB5", 1e-6},
    {"\xCE\xBC", 1e-6},    {"n", 1e-9, "nano"},   {"p", 1e-12, "pico"}, {"f", 1e-15, "femto"}, {"a", 1e-18, "atto"},
    {"z", 1e-21, "zepto"}, {"y", 1e-24, "yocto"},
};

const UnitInfo* find_row(std::string_view name) {
  const auto* found = std::ranges::find(kUnits, name, &UnitInfo::name);
  return found == std::end(kUnits) ? nullptr : found;
}

struct Prefixed {
  const UnitInfo* row = nullptr;
  double factor = 1.0;
};
Prefixed find_prefixed(std::string_view name) {
  // A whole name takes precedence over prefix + name: `min` is a minute, `ft` a foot, `cd` a candela.
  if (const UnitInfo* row = find_row(name)) return {row, 1.0};
  for (const Prefix& prefix : kPrefixes) {
    if (!name.starts_with(prefix.name)) continue;
    const UnitInfo* row = find_row(name.substr(prefix.name.size()));
    if (row != nullptr && row->takes_prefixes) return {row, prefix.factor};
  }
  return {};
}

/// Common words for units, in addition to the words in the column `meaning` of the table.
struct Spoken {
  std::string_view word, unit;
};
constexpr Spoken kSpoken[] = {
    {"meter", "m"}, {"sec", "s"},  {"hr", "h"},    {"mins", "min"}, {"feet", "ft"},
    {"lbs", "lb"},  {"kgs", "kg"}, {"kilo", "kg"}, {"liter", "l"},  {"kelvin", "K"},
};

std::string lower_case(std::string_view word) {
  std::string result(word);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::string spelled_out_alone(std::string_view word) {
  const auto* spoken = std::ranges::find(kSpoken, word, &Spoken::word);
  if (spoken != std::end(kSpoken)) return std::string(spoken->unit);
  for (const UnitInfo& row : kUnits) {
    if (word == row.meaning.substr(0, row.meaning.find(','))) return std::string(row.name);
  }
  return {};
}

/// The unit of a word in plural or with a spelled-out prefix: `Meters`, `kilograms`; empty if there is none.
std::string spelled_out(std::string_view word) {
  const std::string lower = lower_case(word);
  const std::string singular = lower.ends_with('s') ? lower.substr(0, lower.size() - 1) : lower;
  for (const std::string& one : {lower, singular}) {
    if (std::string unit = spelled_out_alone(one); !unit.empty()) return unit;
    for (const Prefix& prefix : kPrefixes) {
      if (prefix.word.empty() || !one.starts_with(prefix.word)) continue;
      const std::string stem = spelled_out_alone(std::string_view(one).substr(prefix.word.size()));
      std::string unit = std::string(prefix.name) + stem;
      if (!stem.empty() && find_unit(unit)) return unit;
    }
  }
  return {};
}

/// `s^2` of `s2`: a unit followed by digits; empty if the word is not of this form.
std::string with_exponent_behind(std::string_view word) {
  const std::size_t digits = word.find_last_not_of("0123456789") + 1;
  if (digits == word.size() || !find_unit(word.substr(0, digits))) return {};
  return std::string(word.substr(0, digits)) + "^" + std::string(word.substr(digits));
}

/// Splits a word such as `Nm` that consists of the names of two or three units of different dimensions, and returns
/// them as a product: `N*m`. If the word can be split in several ways, the split into most units is returned. Empty if
/// the word is not of this form.
std::string side_by_side(std::string_view word) {
  constexpr std::size_t kLongest = 12;
  const auto differ = [](const auto& one, const auto& other) {
    return one && other && !(one->dimension == other->dimension);
  };
  std::string of_two;
  for (std::size_t at = 1; at < word.size() && word.size() <= kLongest; ++at) {
    const auto first = find_unit(word.substr(0, at));
    for (std::size_t end = at + 1; first && end < word.size(); ++end) {
      const auto second = find_unit(word.substr(at, end - at)), third = find_unit(word.substr(end));
      if (differ(first, second) && differ(second, third) && differ(first, third))
        return std::string(word.substr(0, at)) + "*" + std::string(word.substr(at, end - at)) + "*" +
               std::string(word.substr(end));
    }
    if (of_two.empty() && differ(first, find_unit(word.substr(at))))
      of_two = std::string(word.substr(0, at)) + "*" + std::string(word.substr(at));
  }
  return of_two;
}

}  // namespace

std::span<const UnitInfo> unit_table() { return kUnits; }

std::optional<UnitValue> find_unit(std::string_view name) {
  if (name == "kg") return UnitValue{1.0, kMass};  // the base unit itself, without the rounding error of 1e3 * 1e-3
  const auto [row, factor] = find_prefixed(name);
  return row == nullptr ? std::nullopt : std::optional(UnitValue{factor * row->scale, row->dimension});
}

std::string unit_of_word(std::string_view word) {
  for (auto read : {&spelled_out, &with_exponent_behind, &side_by_side}) {
    if (std::string unit = read(word); !unit.empty()) return unit;
  }
  return {};
}

std::string si_name(std::string_view name) {
  const UnitInfo* row = name == "kg" ? find_row("g") : find_prefixed(name).row;
  VINCULUM_EXPECTS(row != nullptr);
  return row->si.empty() ? si_unit(row->dimension) : std::string(row->si);
}

UnitText unit_text(const Dimension& dimension) {
  if (dimension.is_dimensionless()) return {};
  return {si_unit(dimension), si_unit(dimension), 1.0};
}

UnitText per_second(UnitText unit) {
  for (std::string* text : {&unit.si, &unit.shown}) {
    if (text->ends_with("/s"))
      *text += "^2";
    else if (text->ends_with("/s^2"))
      text->back() = '3';
    else
      *text += "/s";
  }
  return unit;
}

}  // namespace vinculum
