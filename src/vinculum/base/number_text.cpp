#include "vinculum/base/number_text.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/shortest_decimal.hpp"

namespace vinculum {
namespace {

constexpr int kMostDigits = 17;
// An exponent is written if the exponent of the first digit is ≥ 16 or < −4.
constexpr int kFromExponent = 16, kBelowExponent = -4;

/// The eight decimal digits of x < 10⁸ as characters, the first in the lowest byte. Computed in parallel within one
/// word: first two groups of four digits, then four groups of two, then eight single digits.
std::uint64_t eight_digits(std::uint64_t x) {
  static_assert(std::endian::native == std::endian::little);
  const std::uint64_t fours = x / 10000 | x % 10000 << 32;
  const std::uint64_t high_twos = (fours * 10486 >> 20) & 0x7f0000007f;
  const std::uint64_t twos = high_twos | (fours - 100 * high_twos) << 16;
  const std::uint64_t high_ones = (twos * 103 >> 10) & 0x000f000f000f000f;
  return (high_ones | (twos - 10 * high_ones) << 8) + 0x3030303030303030;
}

constexpr std::array<std::uint64_t, 20> kPowersOfTen = [] {
  std::array<std::uint64_t, 20> all{1};
  for (std::size_t i = 1; i < all.size(); ++i) all[i] = 10 * all[i - 1];
  return all;
}();

int count_digits(std::uint64_t x) {
  // Lower bound of the number of digits minus 1: 1233/2^12 is just below log10 2
  const int guess = (static_cast<int>(std::bit_width(x)) * 1233) >> 12;
  return guess + (x >= kPowersOfTen[static_cast<std::size_t>(guess)]);
}

char* write_exponent(char* to, int exponent) {
  *to++ = 'e';
  *to++ = exponent < 0 ? '-' : '+';
  exponent = std::abs(exponent);
  if (exponent >= 100) *to++ = static_cast<char>('0' + exponent / 100);
  *to++ = static_cast<char>('0' + exponent / 10 % 10);
  *to++ = static_cast<char>('0' + exponent % 10);
  return to;
}

/// The first seventeen digits of a number as characters, in order.
struct Digits {
  char first;
  std::uint64_t high, low;
  /// \returns pointer to the character after the last one written.
  char* write(char* to) const {
    *to = first;
    return write_rest(to + 1);
  }
  char* write_rest(char* to) const {
    std::memcpy(to, &high, 8);
    std::memcpy(to + 8, &low, 8);
    return to + 16;
  }
};

}  // namespace

char* write_shortest(char* to, double x) {
  VINCULUM_EXPECTS(std::isfinite(x));
  if (std::signbit(x)) *to++ = '-';
  if (x == 0.0) {
    *to++ = '0';
    return to;
  }
  const auto [significand, power] = shortest_decimal(std::fabs(x));
  const int count = count_digits(significand);
  const std::uint64_t whole = significand * kPowersOfTen[static_cast<std::size_t>(kMostDigits - count)];
  const Digits digits{static_cast<char>('0' + whole / kPowersOfTen[16]),
                      eight_digits(whole / kPowersOfTen[8] % kPowersOfTen[8]), eight_digits(whole % kPowersOfTen[8])};
  const int exponent = power + count - 1;  // decimal exponent of the first digit
  const bool has_exponent = exponent < kBelowExponent || exponent >= kFromExponent;
  if (exponent == 0 || has_exponent) {
    *to = digits.first;
    to[1] = '.';
    digits.write_rest(to + 2);
    to += count > 1 ? count + 1 : 1;
    return has_exponent ? write_exponent(to, exponent) : to;
  }
  if (exponent < 0) {
    std::memcpy(to, "0.0000", 6);
    digits.write(to + 1 - exponent);
    return to + 1 - exponent + count;
  }
  if (power >= 0) {
    digits.write(to);
    return to + exponent + 1;
  }
  digits.write(to + 1);
  for (int k = 0; k <= exponent; ++k) to[k] = to[k + 1];
  to[exponent + 1] = '.';
  return to + 1 + count;
}

}  // namespace vinculum
