#pragma once

#include <array>
#include <string>

namespace vinculum {

/// A rational number in lowest terms, denominator > 0. Results that do not fit an int are clamped to its limits.
struct Rational {
  int numerator = 0;
  int denominator = 1;
  friend bool operator==(const Rational&, const Rational&) = default;
};
[[nodiscard]] Rational make_rational(int numerator, int denominator);
Rational operator+(Rational a, Rational b);
Rational operator*(Rational a, Rational b);

/// Physical dimension: exponents of the SI base quantities. Angles are dimensionless.
struct Dimension {
  enum Base { kMass, kLength, kTime, kCurrent, kTemperature, kAmount, kLuminosity, kBaseCount };
  std::array<Rational, kBaseCount> exponents{};

  [[nodiscard]] bool is_dimensionless() const;
  friend bool operator==(const Dimension&, const Dimension&) = default;
};
Dimension operator*(const Dimension& a, const Dimension& b);
Dimension operator/(const Dimension& a, const Dimension& b);
[[nodiscard]] Dimension power(const Dimension& dimension, Rational exponent);

/// Text for messages: the name of the dimension, if it has one, followed by its SI unit, such as "velocity, m/s",
/// "force, N". A dimension without a name: "kg^2/s" or "dimensionless".
[[nodiscard]] std::string describe(const Dimension& dimension);
/// The SI unit alone: "m/s", "N", "1".
[[nodiscard]] std::string si_unit(const Dimension& dimension);

/// Dimension with exponents of mass, length and time only; for tables and tests.
[[nodiscard]] Dimension make_dimension(int mass, int length, int time);

}  // namespace vinculum
