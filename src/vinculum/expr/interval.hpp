#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "vinculum/expr/operation.hpp"
#include "vinculum/expr/spline.hpp"

namespace vinculum::expr {

/// All numbers from `lo` to `hi`. Operations round outward: what an operation of numbers out of its operands gives, to
/// the last bits of the library's functions, lies in its result. What may be no number, or is not known, is `whole`.
/// 0 stays 0, so that what underflows is nothing.
struct Interval {
  double lo = 0.0, hi = 0.0;

  [[nodiscard]] static Interval whole() {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
  [[nodiscard]] static Interval between(double a, double b) { return a < b ? Interval{a, b} : Interval{b, a}; }
  [[nodiscard]] bool holds(double x) const { return lo <= x && x <= hi; }
  [[nodiscard]] double width() const { return hi - lo; }
  [[nodiscard]] double largest() const { return -lo > hi ? -lo : hi; }  ///< |x| at most
  friend bool operator==(const Interval&, const Interval&) = default;
};

Interval operator+(Interval a, Interval b);
Interval operator-(Interval a, Interval b);
Interval operator*(Interval a, Interval b);
Interval operator/(Interval a, Interval b);
Interval operator-(Interval a);
[[nodiscard]] Interval hull(Interval a, Interval b);
/// \returns a where nothing is in both.
[[nodiscard]] Interval common(Interval a, Interval b);

/// Range of `op` over its operands, exact but for rounding where each operand stands in it once.
/// Not for kConstant, kSymbol, kTable.
/// Source: Moore, Kearfott & Cloud, Introduction to Interval Analysis (2009), ch. 5.   Law: interval_test.cpp.
[[nodiscard]] Interval enclose_operation(Op op, Interval first, Interval second = {}, Interval third = {});
/// Range of ∂op/∂operand; whole where it jumps within the operands. Not for kConstant, kSymbol, kTable, kSelect.
[[nodiscard]] Interval enclose_partial(Op op, int operand, Interval result, Interval first, Interval second = {});

/// Exact ranges of a spline and its derivatives: those of whole pieces stand in a tree, the two at the ends are found
/// from their Bernstein coefficients. \cost O(log n).
class SplineRanges {
 public:
  SplineRanges(const Spline& spline, int order);
  /// Whole where x leaves the table.
  [[nodiscard]] Interval over(Interval x) const;

 private:
  [[nodiscard]] Interval of_piece(std::size_t piece, double from, double to) const;
  [[nodiscard]] std::size_t piece_of(double x) const;

  const Spline& spline_;
  int order_;
  std::size_t leaves_ = 1;
  std::vector<Interval> tree_;  ///< [2 × leaves]
};

}  // namespace vinculum::expr
