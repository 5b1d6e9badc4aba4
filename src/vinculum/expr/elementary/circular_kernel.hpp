#pragma once

#include "vinculum/expr/elementary/tables.hpp"

/// Sine and cosine of one argument as operations of a `Machine`. One Machine computes with doubles (circular.cpp);
/// another generates native code for one argument, or for several in parallel (codegen/llvm/lanes.hpp). Both
/// instantiate this code. It uses only IEEE additions and multiplications, each rounded once, and bit operations, so
/// the results agree to the last bit.
///
/// A Machine has the types Number, Bits (the word of a Number) and Truth. Its functions are `number(double)`, `size(x)`
/// for |x|, `is_at_most(x, y)`, `both(p, q)`, `bits(x)`, `next(bits)` (the word plus one), `negated(x, bits)` (negates
/// if bit 1 of the word is set) and `chosen(bits, odd, even)` (by bit 0). Numbers have + − *.
namespace vinculum::expr::elementary {

/// Largest |x| for which the products of n with the three parts of π/2 (36 bits each) are exact, because n < 2^17.
inline constexpr double kLargestNear = 0x1p17;
/// Largest |x| for which n is 0, so that `reduce_near` returns the argument itself.
inline constexpr double kReduced = 0x1.9p-1;

/// x = n π/2 + high − low with |high| ≤ about π/4 and low much smaller than high.
template <class Machine>
struct ReducedAngle {
  typename Machine::Number high;
  typename Machine::Number low;
  typename Machine::Bits turn;  ///< bits 0 and 1 are n modulo 4
  /// Whether the reduction is accurate: |x| ≤ kLargestNear, and x is not too near to n π/2
  typename Machine::Truth holds;
};

/// Reduction by Cody and Waite's method, with π/2 in three parts. The error is |n| 2^-125. `holds` requires that the
/// remainder is at least |n| 2^-66.
template <class Machine>
ReducedAngle<Machine> reduce_near(const Machine& m, typename Machine::Number x) {
  using Number = typename Machine::Number;
  const Number whole = m.number(0x1.8p52);  // adding it leaves the nearest integer in the last bits of the sum
  const Number shifted = x * m.number(tables::kTwoOverPi) + whole;
  const Number n = shifted - whole;
  const Number first = x - n * m.number(tables::kHalfPi1);  // the difference is exact
  const Number second = n * m.number(tables::kHalfPi2);     // the product is exact
  const Number high = first - second;
  const Number part = high - first;
  const Number lost = (first - (high - part)) - (second + part);
  const auto holds = m.both(m.is_at_most(m.size(x), m.number(kLargestNear)),
                            m.is_at_most(m.size(n) * m.number(0x1p-66), m.size(high)));
  return {high, n * m.number(tables::kHalfPi3) - lost, m.bits(shifted), holds};
}

/// The polynomial c0 + c1 z + … + c5 z^5. Pairs of terms are evaluated first, which shortens chains of dependent
/// operations.
template <class Machine>
typename Machine::Number polynomial(const Machine& m, const double (&c)[6], typename Machine::Number z,
                                    typename Machine::Number z2) {
  const auto line = [&](int k) { return m.number(c[k]) + m.number(c[k + 1]) * z; };
  return (line(0) + z2 * line(2)) + (z2 * z2) * line(4);
}

template <class Machine>
struct SineAndCosineOf {
  typename Machine::Number sine;
  typename Machine::Number cosine;
};

/// Sine and cosine of n π/2 + high − low, where |low| is at most about half a unit in the last place of π/4.
template <class Machine>
SineAndCosineOf<Machine> sine_and_cosine_of(const Machine& m, typename Machine::Number high,
                                            typename Machine::Number low, typename Machine::Bits turn) {
  using Number = typename Machine::Number;
  const Number one = m.number(1.0);
  const Number z = high * high, z2 = z * z;
  const Number half = z * m.number(0.5);
  const Number top = one - half;
  const Number sine_low = (high * z) * polynomial(m, tables::kSine, z, z2) + low * top;
  const Number cosine_low = (half - (one - top)) - (z2 * polynomial(m, tables::kCosine, z, z2) + low * high);
  const Number s = high - sine_low, c = top - cosine_low;
  return {m.negated(m.chosen(turn, c, s), turn), m.negated(m.chosen(turn, s, c), m.next(turn))};
}

}  // namespace vinculum::expr::elementary
