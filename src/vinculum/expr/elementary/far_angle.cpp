#include "vinculum/expr/elementary/far_angle.hpp"

#include <bit>
#include <cmath>

#include "vinculum/expr/elementary/tables.hpp"

namespace vinculum::expr::elementary {
namespace {

__extension__ using Word128 = unsigned __int128;

/// 64 bits of 2/π from bit `from` on. Bit 0 is the first one after the binary point; earlier bits are zero.
std::uint64_t bits_of_two_over_pi(int from) {
  if (from <= -64) return 0;
  if (from < 0) return tables::kTwoOverPiWords[0] >> -from;
  const int word = from / 64, shift = from % 64;
  const std::uint64_t first = tables::kTwoOverPiWords[word];
  return shift == 0 ? first : first << shift | tables::kTwoOverPiWords[word + 1] >> (64 - shift);
}

/// The 53 leading bits of a 128-bit fraction that begins with a 1, and its remaining bits, times 2^(-1 - zeros).
Pair normalized(Word128 fraction, int zeros) {
  constexpr int kDropped = 128 - 53;
  const auto high = static_cast<std::uint64_t>(fraction >> kDropped);
  const auto low = static_cast<std::uint64_t>(fraction << 53 >> 64);
  const double unit = std::ldexp(1.0, -zeros - 53);
  return quick_sum(static_cast<double>(high) * unit, static_cast<double>(low) * (unit * 0x1p-64));
}

}  // namespace

// Let |x| = m 2^e, where m has 53 bits. Words of 2/π whose product with x is a multiple of 4 are skipped; the next
// three are used. The first two bits of their product with m are n modulo 4. The first neglected bit has the weight
// 2^-137.
FarAngle reduce_far(double x) noexcept {
  const std::uint64_t word = std::bit_cast<std::uint64_t>(x);
  const int e = static_cast<int>(word >> 52 & 0x7ff) - 1075;
  const std::uint64_t m = (word & 0xfffffffffffff) | 0x10000000000000;
  const int from = e - 2;  // the bit of weight 4, after the shift by e, is just before the first bit used
  const std::uint64_t a = bits_of_two_over_pi(from), b = bits_of_two_over_pi(from + 64),
                      c = bits_of_two_over_pi(from + 128);
  const Word128 low = Word128{m} * c;
  const Word128 middle = Word128{m} * b + static_cast<std::uint64_t>(low >> 64);
  const std::uint64_t high = m * a + static_cast<std::uint64_t>(middle >> 64);
  std::uint64_t turn = high >> 62;
  // The fraction that follows these two bits: 126 bits from two words, and more from the third.
  const auto second = static_cast<std::uint64_t>(middle), third = static_cast<std::uint64_t>(low);
  Word128 fraction = Word128{high << 2 | second >> 62} << 64 | (second << 2 | third >> 62);
  std::uint64_t below = third << 2;
  const bool is_beyond = fraction >> 127 != 0;  // x is nearer to the next multiple of π/2
  if (is_beyond) {
    ++turn;
    below = ~below + 1;
    fraction = ~fraction + (below == 0 ? 1 : 0);
  }
  int zeros = std::countl_zero(static_cast<std::uint64_t>(fraction >> 64));
  if (zeros == 64) zeros += std::countl_zero(static_cast<std::uint64_t>(fraction));
  if (zeros > 0 && zeros < 64) {
    fraction = fraction << zeros | below >> (64 - zeros);
  } else if (zeros >= 64) {
    fraction = fraction << zeros;
  }
  Pair rest = normalized(fraction, zeros) * Pair{tables::kHalfPiHigh, tables::kHalfPiLow};
  if (is_beyond != std::signbit(x)) rest = -rest;
  return {rest, std::signbit(x) ? 0 - turn : turn};
}

}  // namespace vinculum::expr::elementary
