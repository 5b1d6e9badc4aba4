// Shortest decimal of a double. Source: R. Giulietti, The Schubfach way to render doubles (2020).
#include "vinculum/base/shortest_decimal.hpp"

#include <array>
#include <bit>
#include <vector>

namespace vinculum {
namespace {

__extension__ using Wide = unsigned __int128;

struct Power {
  std::uint64_t high, low;
};

constexpr int kLeast = -292, kMost = 324;  // range of exponents k for which 10^k is needed

/// An unsigned integer of fixed length in words of 32 bits, least significant word first.
class Whole {
 public:
  explicit Whole(std::size_t words) : words_(words) {}
  void set_bit(std::size_t bit) { words_[bit / 32] |= 1u << bit % 32; }
  void multiply(std::uint32_t by) {
    std::uint64_t carry = 0;
    for (std::uint32_t& word : words_) {
      carry += std::uint64_t{word} * by;
      word = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  void divide(std::uint32_t by) {
    std::uint64_t rest = 0;
    for (std::size_t i = words_.size(); i-- > 0;) {
      rest = rest << 32 | words_[i];
      words_[i] = static_cast<std::uint32_t>(rest / by);
      rest %= by;
    }
  }
  /// The 128 leading bits plus one unit in the last of them: an upper bound that exceeds the number by at most that
  /// unit.
  [[nodiscard]] Power leading() const {
    std::size_t top = words_.size();
    while (words_[top - 1] == 0) --top;
    std::array<std::uint32_t, 5> words{};
    for (std::size_t i = 0; i < words.size() && i < top; ++i) words[i] = words_[top - 1 - i];
    const int shift = std::countl_zero(words[0]);
    Wide bits = 0;
    for (std::size_t i = 0; i < 4; ++i) bits = bits << 32 | words[i];
    if (shift > 0) bits = bits << shift | words[4] >> (32 - shift);
    ++bits;
    return {static_cast<std::uint64_t>(bits >> 64), static_cast<std::uint64_t>(bits)};
  }

 private:
  std::vector<std::uint32_t> words_;
};

using Powers = std::array<Power, kMost - kLeast + 1>;

/// 10^k for k = kLeast … kMost, scaled by a power of two into [2^127, 2^128) and rounded up.
Powers powers_of_ten() {
  Powers all;
  Whole up(36), down(48);
  up.set_bit(0);
  down.set_bit(1400);  // repeated truncated division by 10 equals one truncated division by a power of 10
  for (int k = 0; k <= kMost; ++k, up.multiply(10)) all[static_cast<std::size_t>(k - kLeast)] = up.leading();
  for (int k = -1; k >= kLeast; --k) {
    down.divide(10);
    all[static_cast<std::size_t>(k - kLeast)] = down.leading();
  }
  return all;
}

/// floor(g x / 2^128) with the last bit set if the quotient is not exact (rounding to odd).
std::uint64_t round_to_odd(Power g, std::uint64_t x) {
  const Wide low = Wide{g.low} * x, high = Wide{g.high} * x + (low >> 64);
  return static_cast<std::uint64_t>(high >> 64) | (static_cast<std::uint64_t>(high) > 1);
}

}  // namespace

Decimal shortest_decimal(double x) {
  static const Powers powers = powers_of_ten();
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const int stored = static_cast<int>(bits >> 52);
  // x = c 2^q. All numbers that read back as x are in the interval from cl/4 · 2^q to cr/4 · 2^q. Here cr = 4c + 2, and
  // cl = 4c − 2 (4c − 1 if the next smaller double is nearer than the next larger one). The ends belong to the interval
  // if c is even.
  const std::uint64_t c = stored == 0 ? fraction : fraction | std::uint64_t{1} << 52;
  const int q = stored == 0 ? -1074 : stored - 1075;
  // if the fraction is 0, the next smaller double is only half as far away as the next larger double
  const bool is_power = fraction == 0 && stored > 1;
  const int k = (q * 1262611 - (is_power ? 524031 : 0)) >> 22;  // floor(log10 of the interval's width)
  const int h = q + ((-k * 1741647) >> 19) + 1;                 // h = q + floor(log2 10^-k) + 1
  const Power g = powers[static_cast<std::size_t>(-k - kLeast)];
  const std::uint64_t middle = round_to_odd(g, 4 * c << h);
  const std::uint64_t odd = c & 1;
  const std::uint64_t lower = round_to_odd(g, (4 * c - 2 + is_power) << h) + odd;
  const std::uint64_t upper = round_to_odd(g, (4 * c + 2) << h) - odd;
  const std::uint64_t s = middle / 4, tens = s / 10, half = 4 * s + 2;
  // The outcome is unpredictable for the processor, so it is selected without branches.
  const auto select = [](bool condition, std::uint64_t a, std::uint64_t b) {
    const std::uint64_t mask = -std::uint64_t{condition};
    return (a & mask) | (b & ~mask);
  };
  const bool is_below = lower <= 40 * tens, is_above = 40 * tens + 40 <= upper;
  const bool is_shorter = (s >= 10) & (is_below != is_above);
  const bool is_s = lower <= 4 * s, is_next = 4 * s + 4 <= upper;
  const bool is_nearer = (middle > half) | ((middle == half) & ((s & 1) != 0));
  const std::uint64_t longer = s + select(is_s != is_next, is_next, is_nearer);
  std::uint64_t digits = select(is_shorter, tens + is_above, longer);
  int power = k + is_shorter;
  for (; digits % 10 == 0; digits /= 10) ++power;
  return {digits, power};
}

}  // namespace vinculum
