#pragma once

#include "vinculum/expr/elementary/tables.hpp"

/// Sine and cosine of one argument, as operations of a `Machine`: the computer's own on doubles (circular.cpp), or what
/// writes them down as native code, for one argument or several side by side (codegen/llvm/lanes.hpp). One text, so one
/// result to the last bit: only IEEE additions and multiplications, each rounded once, and operations on bits.
///
/// A Machine has the types Number, Bits (of the words of Numbers) and Truth, `number(double)`, `size(x)` for |x|,
/// `is_at_most(x, y)`, `both(p, q)`, `bits(x)`, `next(bits)` for the word plus one, `negated(x, bits)`, which changes
/// the sign where bit 1 of the word is set, and `chosen(bits, odd, even)` by bit 0. Numbers have + − *.
namespace vinculum::expr::elementary {

/// Up to here multiples of π/2 are products without rounding of parts of 36 bits: n < 2^17.
inline constexpr double kLargestNear = 0x1p17;
/// Up to here n is 0: what `reduce_near` gives is the argument itself.
inline constexpr double kReduced = 0x1.9p-1;

/// x = n π/2 + high − low with |high| ≤ about π/4, low at most a small part of high.
template <class Machine>
struct ReducedAngle {
  typename Machine::Number high;
  typename Machine::Number low;
  typename Machine::Bits turn;    ///< bits 0 and 1: n modulo 4
  typename Machine::Truth holds;  ///< whether x is near enough, and far enough from the multiple, for all of the digits
};

/// By Cody and Waite's method, in three parts: an error of |n| 2^-125, where at least |n| 2^-66 is left.
template <class Machine>
ReducedAngle<Machine> reduce_near(const Machine& m, typename Machine::Number x) {
  using Number = typename Machine::Number;
  const Number whole = m.number(0x1.8p52);  // added: the sum's last bits are the nearest integer's
  const Number shifted = x * m.number(tables::kTwoOverPi) + whole;
  const Number n = shifted - whole;
  const Number first = x - n * m.number(tables::kHalfPi1);  // exact
  const Number second = n * m.number(tables::kHalfPi2);     // exact
  const Number high = first - second;
  const Number part = high - first;
  const Number lost = (first - (high - part)) - (second + part);
  const auto holds = m.both(m.is_at_most(m.size(x), m.number(kLargestNear)),
                            m.is_at_most(m.size(n) * m.number(0x1p-66), m.size(high)));
  return {high, n * m.number(tables::kHalfPi3) - lost, m.bits(shifted), holds};
}

/// c0 + c1 z + … + c5 z^5, in pairs: short chains of operations.
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

/// Of n π/2 + high − low, |low| about half a unit in the last place of π/4 at most.
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
