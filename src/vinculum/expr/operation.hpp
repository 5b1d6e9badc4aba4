#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace vinculum::expr {

// clang-format off
/// Operations of the expression graph. True is 1.0 and false is 0.0; any operand other than 0.0 counts as true.
enum class Op : std::uint8_t {
  kConstant, kSymbol,
  kAdd, kSubtract, kMultiply, kDivide, kNegate,
  kPower,  ///< x^y; with a constant integer y also for x < 0
  kSquareRoot, kExponential, kLogarithm,
  kSine, kCosine, kTangent, kArcSine, kArcCosine, kArcTangent, kArcTangent2,
  kHyperbolicSine, kHyperbolicCosine, kHyperbolicTangent,
  kAbsolute, kSign, kFloor, kMinimum, kMaximum,
  kLess, kLessEqual, kEqual, kNotEqual, kAnd, kOr, kNot,
  kSelect,  ///< condition ? second : third; a NaN in the branch not taken has no effect
  kTable,  ///< a function given by its values at points (spline.hpp), or one of its derivatives
};
// clang-format on

struct OperationInfo {
  Op op;
  std::string_view name;   ///< as in the language and in printed text; empty for leaves and infix operators
  std::string_view infix;  ///< operator "+", "*", …; empty if there is no infix form
  int arity;               ///< number of operands: 0, 1, 2 or 3
  int precedence;          ///< precedence of the infix form in printed text; 100 for function calls and leaves
  std::string_view latex;  ///< "\\sin", … ; empty if the printer has its own layout
  std::string_view c;      ///< C function or operator
};

/// The table of operations. Each fact about an operation is in its table entry or is derived from it.
[[nodiscard]] std::span<const OperationInfo> operation_table();
[[nodiscard]] const OperationInfo& operation_info(Op op);

/// The value of `op` in double precision. Every back end must reproduce it bit for bit. Unused operands are ignored.
/// Not for kConstant, kSymbol, kTable.
///
/// Arithmetic and square root are IEEE 754 operations, rounded once. Transcendental functions come from expr/elementary
/// and consist of such operations, so that results do not depend on a C library. Where IEEE leaves a choice:
/// * min(a, b) = (a < b or a is NaN) ? a : b, and max the same with >;
/// * sign(x) = x for ±0 and NaN;
/// * comparisons with NaN are 0, except kNotEqual;
/// * kSelect, kAnd, kOr, kNot take NaN as true;
/// * kPower: see `evaluate_power`.
[[nodiscard]] double evaluate_operation(Op op, double first, double second = 0.0, double third = 0.0) noexcept;

/// How `evaluate_power` computes x^y if 2 y is a small integer: by multiplications, one square root and one division.
struct PowerPlan {
  int whole = 0;               ///< floor(|y|), at most kLargestWholePower; y is the exponent
  bool has_root = false;       ///< whether |y| = whole + 1/2
  bool is_reciprocal = false;  ///< whether y < 0
};
inline constexpr int kLargestWholePower = 64;

/// Whether x^exponent has such a plan: 2 × exponent is an integer and |exponent| < kLargestWholePower + 1.
[[nodiscard]] bool find_power_plan(double exponent, PowerPlan& plan) noexcept;

/// x^y. If y has a plan (see `find_power_plan`), p is computed in these steps; otherwise by elementary::power.
/// * p = x^whole by left-to-right squaring: p = x; for each lower bit of `whole`, p = p p, then p = p x if the bit is
///   set. For whole = 0, p = 1.
/// * If has_root: p = p sqrt(x), or p = sqrt(x) for whole = 0.
/// * If is_reciprocal: p = 1 / p.
[[nodiscard]] double evaluate_power(double x, double y) noexcept;

}  // namespace vinculum::expr
