#include "vinculum/base/dimension.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string_view>

#include "vinculum/base/contract.hpp"

namespace vinculum {
namespace {

int saturate(std::int64_t value) {
  constexpr std::int64_t kLimit = std::numeric_limits<int>::max();
  return static_cast<int>(std::clamp(value, -kLimit, kLimit));
}

Rational lowest_terms(std::int64_t numerator, std::int64_t denominator) {
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  const std::int64_t divisor = std::gcd(numerator, denominator);
  return {saturate(numerator / divisor), saturate(denominator / divisor)};
}

struct NamedDimension {
  std::string_view name;  // empty: the dimension is described by its SI unit alone
  std::string_view unit;
  Dimension dimension;
};

constexpr Dimension dimension_of(int mass, int length, int time, int current = 0, int temperature = 0) {
  Dimension result;
  result.exponents[Dimension::kMass].numerator = mass;
  result.exponents[Dimension::kLength].numerator = length;
  result.exponents[Dimension::kTime].numerator = time;
  result.exponents[Dimension::kCurrent].numerator = current;
  result.exponents[Dimension::kTemperature].numerator = temperature;
  return result;
}

constexpr NamedDimension kNamedDimensions[] = {
    {"dimensionless", "1", dimension_of(0, 0, 0)},
    {"mass", "kg", dimension_of(1, 0, 0)},
    {"length", "m", dimension_of(0, 1, 0)},
    {"time", "s", dimension_of(0, 0, 1)},
    {"current", "A", dimension_of(0, 0, 0, 1)},
    {"temperature", "K", dimension_of(0, 0, 0, 0, 1)},
    {"area", "m^2", dimension_of(0, 2, 0)},
    {"volume", "m^3", dimension_of(0, 3, 0)},
    {"velocity", "m/s", dimension_of(0, 1, -1)},
    {"acceleration", "m/s^2", dimension_of(0, 1, -2)},
    {"jerk", "m/s^3", dimension_of(0, 1, -3)},
    {"angular velocity or frequency", "rad/s", dimension_of(0, 0, -1)},
    {"angular acceleration", "rad/s^2", dimension_of(0, 0, -2)},
    {"squared velocity", "m^2/s^2", dimension_of(0, 2, -2)},
    {"force", "N", dimension_of(1, 1, -2)},
    {"energy or torque", "J", dimension_of(1, 2, -2)},
    {"power", "W", dimension_of(1, 2, -3)},
    {"momentum", "kg*m/s", dimension_of(1, 1, -1)},
    {"angular momentum", "kg*m^2/s", dimension_of(1, 2, -1)},
    {"moment of inertia", "kg*m^2", dimension_of(1, 2, 0)},
    {"stiffness", "N/m", dimension_of(1, 0, -2)},
    {"damping", "kg/s", dimension_of(1, 0, -1)},
    {"pressure", "Pa", dimension_of(1, -1, -2)},
    {"density", "kg/m^3", dimension_of(1, -3, 0)},
    {"mass per length", "kg/m", dimension_of(1, -1, 0)},
    {"mass per area", "kg/m^2", dimension_of(1, -2, 0)},
    {"curvature", "1/m", dimension_of(0, -1, 0)},
    {"charge", "C", dimension_of(0, 0, 1, 1)},
    {"voltage", "V", dimension_of(1, 2, -3, -1)},
    {"resistance", "ohm", dimension_of(1, 2, -3, -2)},
    {"magnetic flux density", "T", dimension_of(1, 0, -2, -1)},
};

const NamedDimension* find_named(const Dimension& dimension) {
  const auto* found = std::ranges::find(kNamedDimensions, dimension, &NamedDimension::dimension);
  return found == std::end(kNamedDimensions) ? nullptr : found;
}

constexpr std::string_view kBaseUnits[Dimension::kBaseCount] = {"kg", "m", "s", "A", "K", "mol", "cd"};

std::string with_exponent(std::string_view unit, Rational exponent) {
  std::string result(unit);
  if (exponent == Rational{1, 1}) return result;
  if (exponent.denominator == 1) return result + "^" + std::to_string(exponent.numerator);
  return result + "^(" + std::to_string(exponent.numerator) + "/" + std::to_string(exponent.denominator) + ")";
}

}  // namespace

Rational make_rational(int numerator, int denominator) {
  VINCULUM_EXPECTS(denominator != 0);
  return lowest_terms(numerator, denominator);
}

Rational operator+(Rational a, Rational b) {
  return lowest_terms(
      static_cast<std::int64_t>(a.numerator) * b.denominator + static_cast<std::int64_t>(b.numerator) * a.denominator,
      static_cast<std::int64_t>(a.denominator) * b.denominator);
}

Rational operator*(Rational a, Rational b) {
  return lowest_terms(static_cast<std::int64_t>(a.numerator) * b.numerator,
                      static_cast<std::int64_t>(a.denominator) * b.denominator);
}

bool Dimension::is_dimensionless() const { return *this == Dimension{}; }

Dimension operator*(const Dimension& a, const Dimension& b) {
  Dimension result;
  for (std::size_t i = 0; i < Dimension::kBaseCount; ++i) result.exponents[i] = a.exponents[i] + b.exponents[i];
  return result;
}

Dimension operator/(const Dimension& a, const Dimension& b) { return a * power(b, {-1, 1}); }

Dimension power(const Dimension& dimension, Rational exponent) {
  Dimension result;
  for (std::size_t i = 0; i < Dimension::kBaseCount; ++i) result.exponents[i] = dimension.exponents[i] * exponent;
  return result;
}

std::string describe(const Dimension& dimension) {
  if (dimension.is_dimensionless()) return "dimensionless";
  if (const NamedDimension* named = find_named(dimension)) {
    return std::string(named->name) + ", " + std::string(named->unit);
  }
  return si_unit(dimension);
}

std::string si_unit(const Dimension& dimension) {
  if (const NamedDimension* named = find_named(dimension)) return std::string(named->unit);
  std::string above;
  std::string below;
  for (std::size_t i = 0; i < Dimension::kBaseCount; ++i) {
    const Rational exponent = dimension.exponents[i];
    if (exponent.numerator > 0) {
      if (!above.empty()) above += '*';
      above += with_exponent(kBaseUnits[i], exponent);
    } else if (exponent.numerator < 0) {
      below += '/';
      below += with_exponent(kBaseUnits[i], exponent * Rational{-1, 1});
    }
  }
  return (above.empty() ? "1" : above) + below;
}

Dimension make_dimension(int mass, int length, int time) { return dimension_of(mass, length, time); }

}  // namespace vinculum
