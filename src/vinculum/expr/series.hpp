#pragma once

#include <array>
#include <limits>
#include <span>
#include <vector>

#include "vinculum/base/rounded.hpp"
#include "vinculum/expr/graph.hpp"
#include "vinculum/expr/operation.hpp"
#include "vinculum/expr/spline.hpp"

namespace vinculum::expr {

/// A quantity along a motion, as its Taylor coefficients in time about one instant. It also contains the Taylor
/// coefficients of its derivatives by independent small changes ε_0, ε_1, … with ε_i² = 0 (dual numbers). Exact up to
/// rounding; every coefficient has an error bound. The number of known coefficients is limited by the known derivatives
/// of the motion. A multiplier, whose rate is unknown, has one.
class Series {
 public:
  static constexpr int kAll = std::numeric_limits<int>::max();

  /// A constant quantity; all its derivatives are known to be 0.
  Series(double constant = 0.0) : Series(Rounded(constant)) {}
  explicit Series(Rounded constant) : known_(kAll) { few_[0] = constant; }
  /// \param derivatives  value, rate, second rate, …; higher derivatives are unknown.
  [[nodiscard]] static Series along(std::span<const Rounded> derivatives);
  /// The time itself; `known` is the number of its known derivatives, including the value.
  [[nodiscard]] static Series time(double t, int known);
  /// s^order/order!, where s is the time since the instant.
  [[nodiscard]] static Series power_of_time(int order, int known);

  /// Number of known derivatives, including the value.
  [[nodiscard]] int known() const { return known_; }
  /// Time derivative of the given order; NaN if it is unknown.
  [[nodiscard]] Rounded derivative(int order) const;
  [[nodiscard]] Rounded value() const { return derivative(0); }
  [[nodiscard]] bool is_constant() const { return count_ == 1 && changes_ == 0; }
  /// The time derivative as a series, with one coefficient less.
  [[nodiscard]] Series rate() const;
  /// Adds `part` times ε_change.   \pre neither this series nor `part` contains ε_change or an ε with a larger index
  [[nodiscard]] Series changed(int change, const Series& part) const;
  /// The derivative by ε_change.   \pre the series contains no ε with a larger index
  [[nodiscard]] Series by_change(int change) const;

  friend Series operator+(const Series& a, const Series& b);
  friend Series operator-(const Series& a, const Series& b) { return a + -b; }
  friend Series operator-(const Series& a);
  friend Series operator*(const Series& a, const Series& b);
  friend Series operator/(const Series& a, const Series& b);

 private:
  friend class Composition;
  Series(int known, int count, int changes);
  [[nodiscard]] Rounded* data() { return many_.empty() ? few_.data() : many_.data(); }
  [[nodiscard]] const Rounded* data() const { return many_.empty() ? few_.data() : many_.data(); }
  [[nodiscard]] Rounded at(unsigned changes, int order) const {
    return changes >> changes_ != 0 || order >= count_
               ? Rounded()
               : data()[changes * static_cast<unsigned>(count_) + static_cast<unsigned>(order)];
  }
  [[nodiscard]] Rounded& at(unsigned changes, int order) {
    return data()[changes * static_cast<unsigned>(count_) + static_cast<unsigned>(order)];
  }

  int known_ = kAll;
  int count_ = 1;    ///< number of stored coefficients; the other known coefficients are 0
  int changes_ = 0;  ///< number of small changes ε
  std::array<Rounded, 3> few_;
  std::vector<Rounded> many_;  ///< [subset of ε][order]; empty if `few_` has room for all coefficients
};

/// Applies an operation to series; unused operands are ignored. The value has the bits of `evaluate_operation`.
[[nodiscard]] Series evaluate_series(Op op, const Series& a, const Series& b = {}, const Series& c = {});
/// Applies an operation to numbers, for constant folding in graphs and terms. The value has the bits of
/// `evaluate_operation`, except that a sum is 0 if it is a rounding error of its terms (`met`). The error bound is
/// propagated. If the argument has no accurate digits, as in the sine of 1e17, the result has the error bound of a
/// number in a model text.
[[nodiscard]] Rounded evaluate_rounded(Op op, const Rounded& a, const Rounded& b = {}, const Rounded& c = {});
[[nodiscard]] Series evaluate_series(const Spline& spline, int derivative_order, const Series& x);
[[nodiscard]] Series square_root(const Series& x);

/// Evaluates expressions node by node like `interpret`, but with series instead of numbers.
[[nodiscard]] std::vector<Series> interpret_series(std::span<const Expr> roots, std::span<const Expr> symbols,
                                                   std::span<const Series> values);

}  // namespace vinculum::expr
