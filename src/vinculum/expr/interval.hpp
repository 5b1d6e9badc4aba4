#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "vinculum/expr/operation.hpp"
#include "vinculum/expr/spline.hpp"

namespace vinculum::expr {

/// The set of all numbers from `lo` to `hi`. Operations round outward: the result contains the value of the operation
/// for all numbers in the operands, including the errors of library functions. If a result may be undefined or is
/// unknown, it is `whole()`, the set of all numbers. An exact 0 stays 0; underflow counts as 0.
struct Interval {
  double lo = 0.0, hi = 0.0;

  [[nodiscard]] static Interval whole() {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
  [[nodiscard]] static Interval between(double a, double b) { return a < b ? Interval{a, b} : Interval{b, a}; }
  [[nodiscard]] bool holds(double x) const { return lo <= x && x <= hi; }
  [[nodiscard]] double width() const { return hi - lo; }
  [[nodiscard]] double largest() const { return -lo > hi ? -lo : hi; }  ///< largest |x|
  friend bool operator==(const Interval&, const Interval&) = default;
};

Interval operator+(Interval a, Interval b);
Interval operator-(Interval a, Interval b);
Interval operator*(Interval a, Interval b);
Interval operator/(Interval a, Interval b);
Interval operator-(Interval a);
[[nodiscard]] Interval hull(Interval a, Interval b);
/// Intersection of both intervals; a if the intersection is empty.
[[nodiscard]] Interval common(Interval a, Interval b);

/// Range of `op` over intervals of its operands. It is exact except for rounding if each operand occurs once in `op`.
/// Not for kConstant, kSymbol, kTable.
/// Source: Moore, Kearfott & Cloud, Introduction to Interval Analysis (2009), ch. 5.   Test: interval_test.cpp.
[[nodiscard]] Interval enclose_operation(Op op, Interval first, Interval second = {}, Interval third = {});
/// Range of the partial derivative of `op` by one operand; `whole` if the derivative jumps within the operands'
/// intervals. Not for kConstant, kSymbol, kTable, kSelect.
[[nodiscard]] Interval enclose_partial(Op op, int operand, Interval result, Interval first, Interval second = {});

/// Ranges of a spline or of one of its derivatives over an interval. The ranges over whole pieces are stored in a tree;
/// the ranges over the partial pieces at both ends follow from Bernstein coefficients.   \cost O(log n)
class SplineRanges {
 public:
  SplineRanges(const Spline& spline, int order);
  /// Range over x; `whole` if x leaves the range of a table that is undefined outside of it.
  [[nodiscard]] Interval over(Interval x) const;

 private:
  [[nodiscard]] Interval over_period(Interval x) const;
  [[nodiscard]] Interval of_pieces(Interval x) const;
  [[nodiscard]] bool is_unbounded() const;
  [[nodiscard]] Interval of_piece(std::size_t piece, double from, double to) const;
  [[nodiscard]] std::size_t piece_of(double x) const;

  const Spline& spline_;
  int order_;
  std::size_t leaves_ = 1;
  std::vector<Interval> tree_;  ///< [2 × leaves] ranges of single pieces and of groups of pieces
};

}  // namespace vinculum::expr
