#include "vinculum/elaborate/check/units.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/lang/expression_format.hpp"

namespace vinculum::elaborate {
namespace {

constexpr int kLargestExponent = 99;

bool is_equal_but_for_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, {}, [](unsigned char c) { return std::tolower(c); }, [](unsigned char c) { return std::tolower(c); });
}

/// Hint for an unknown unit: the unit in other letter case, a product of two units without `*`, or the nearest name.
std::string unit_hint(const std::string& name) {
  std::vector<std::string> names = {"kg", "km", "cm", "mm", "ms", "kN", "kJ", "kW", "kPa", "MPa", "kHz"};
  for (const UnitInfo& info : unit_table()) names.emplace_back(info.name);
  for (const std::string& unit : names) {
    if (is_equal_but_for_case(name, unit)) return "did you mean `" + unit + "`?";
  }
  if (const std::string meant = unit_of_word(name); !meant.empty()) {
    if (meant.find('*') != std::string::npos) return "multiply units with `*`: `" + meant + "`";
    if (meant.find('^') != std::string::npos) return "powers are written with `^`: `" + meant + "`";
    return "units are written by their symbols: `[" + meant + "]`";
  }
  return diag::hint_nearest(name, names);
}

}  // namespace

std::optional<UnitValue> read_unit(const lang::Unit& unit, Reporter& reporter) {
  UnitValue result;
  bool is_known = true;
  for (const lang::UnitFactor& factor : unit.factors) {
    if (factor.name == "1") continue;
    const std::optional<UnitValue> value = find_unit(factor.name);
    if (!value) {
      reporter.error(diag::Kind::kUnknownUnit, factor.range, "unknown unit `" + factor.name + "`",
                     unit_hint(factor.name));
      is_known = false;
      continue;
    }
    if (factor.denominator == 0 || std::abs(static_cast<double>(factor.numerator)) > kLargestExponent ||
        std::abs(static_cast<double>(factor.denominator)) > kLargestExponent) {
      reporter.error(diag::Kind::kBadValue, factor.range, "the exponent of this unit is out of range");
      is_known = false;
      continue;
    }
    const Rational exponent = make_rational(factor.numerator, factor.denominator);
    // Integer powers are computed by multiplication. So 1000^-1 is rounded once, and 0.001^2 equals the value in the
    // unit table.
    if (exponent.denominator == 1) {
      double power = 1.0;
      for (int i = 0; i < std::abs(exponent.numerator); ++i) power *= value->scale;
      result.scale = exponent.numerator < 0 ? result.scale / power : result.scale * power;
    } else {
      result.scale *= std::pow(value->scale, static_cast<double>(exponent.numerator) / exponent.denominator);
    }
    result.dimension = result.dimension * power(value->dimension, exponent);
  }
  if (is_known && (!std::isfinite(result.scale) || result.scale <= 0.0)) {
    reporter.error(diag::Kind::kBadValue, unit.range, "this unit is out of the range of numbers");
    is_known = false;
  }
  return is_known ? std::optional(result) : std::nullopt;
}

UnitText text_of(const lang::Unit& unit) {
  const auto spelled = [](const lang::Unit& one) {
    const std::string bracketed = lang::format_unit(one);
    const std::string text = bracketed.substr(1, bracketed.size() - 2);
    return text == "1" ? std::string() : text;
  };
  UnitText result{.si = {}, .shown = spelled(unit), .scale = 1.0};
  lang::Unit si = unit;
  for (lang::UnitFactor& factor : si.factors) {
    if (factor.name == "1") continue;
    const double scale = find_unit(factor.name)->scale;
    result.scale *= std::pow(scale, static_cast<double>(factor.numerator) / factor.denominator);
    factor.name = si_name(factor.name);
    const bool is_alone = factor.numerator == 1 && factor.denominator == 1;
    if (!is_alone && factor.name.find_first_of("*/^") != std::string::npos) factor.name = "(" + factor.name + ")";
  }
  std::erase_if(si.factors, [&](const lang::UnitFactor& factor) {
    return factor.name == "1" && (si.factors.size() == 1 || &factor != si.factors.data());
  });
  if (!si.factors.empty()) result.si = spelled(si);
  return result;
}

bool turns(const lang::Unit& unit) {
  int angle = 0, force = 0, length = 0, time = 0;
  for (const lang::UnitFactor& factor : unit.factors) {
    const auto value = factor.name == "1" || factor.denominator != 1 ? std::nullopt : find_unit(factor.name);
    if (!value) continue;
    if (si_name(factor.name).starts_with("rad")) angle += factor.numerator;
    if (value->dimension == make_dimension(1, 1, -2)) force += factor.numerator;
    if (value->dimension == make_dimension(0, 1, 0)) length += factor.numerator;
    if (value->dimension == make_dimension(0, 0, 1)) time += factor.numerator;
  }
  const bool is_moment = force == 1 && length == 1 && (angle != 0 || time <= 0);
  return (angle % 2 != 0) != is_moment;
}

}  // namespace vinculum::elaborate
