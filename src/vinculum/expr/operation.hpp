#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace vinculum::expr {

/// Operations of the expression graph. Truth is 1.0, falsehood 0.0; anything but 0.0 counts as true.
enum class Op : std::uint8_t {
  kConstant, kSymbol,
  kAdd, kSubtract, kMultiply, kDivide, kNegate,
  kPower,                                  ///< x^y; with a constant integer y also for x < 0
  kSquareRoot, kExponential, kLogarithm,
  kSine, kCosine, kTangent, kArcSine, kArcCosine, kArcTangent, kArcTangent2,
  kHyperbolicSine, kHyperbolicCosine, kHyperbolicTangent,
  kAbsolute, kSign, kFloor, kMinimum, kMaximum,
  kLess, kLessEqual, kEqual, kNotEqual, kAnd, kOr, kNot,
  kSelect,                                 ///< condition ? second : third; the branch not taken never leaks a NaN
  kTable,                                  ///< cubic spline (C²) or one of its derivatives; NaN outside its range
};

struct OperationInfo {
  Op op;
  std::string_view name;   ///< as in the language and in printed text; empty for leaves and infix operators
  std::string_view infix;  ///< "+", "*", … or empty
  int arity;               ///< 0, 1, 2 or 3
  int precedence;          ///< of the infix form in printed text; 100 for function calls and leaves
  std::string_view latex;  ///< "\\sin", … ; empty where the printer has its own layout
  std::string_view c;      ///< C function or operator
};

/// The one table of operations. What is known about an operation stands here or follows from it.
[[nodiscard]] std::span<const OperationInfo> operation_table();
[[nodiscard]] const OperationInfo& operation_info(Op op);

/// The value of `op` in double precision: the definition that every back end must reproduce bit for bit.
/// Unused operands are ignored. Not for kConstant, kSymbol, kTable.
[[nodiscard]] double evaluate_operation(Op op, double first, double second = 0.0, double third = 0.0) noexcept;

}  // namespace vinculum::expr
