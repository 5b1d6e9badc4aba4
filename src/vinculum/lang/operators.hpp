#pragma once

#include <algorithm>
#include <string_view>

#include "vinculum/lang/expression.hpp"

namespace vinculum::lang {

/// The rules of the grammar for expressions, weakest binding first (GRAMMAR.md, "Expressions").
enum class Level { kConditional, kOr, kAnd, kNot, kComparison, kSum, kProduct, kSigned, kPower, kPostfix };

struct OperatorInfo {
  BinaryOperator op;
  std::string_view spelling;
  Level level, left, right;  ///< level of the operator; weakest levels of its operands without brackets
};

inline constexpr OperatorInfo kOperators[] = {
    {BinaryOperator::kAdd, "+", Level::kSum, Level::kSum, Level::kProduct},
    {BinaryOperator::kSubtract, "-", Level::kSum, Level::kSum, Level::kProduct},
    {BinaryOperator::kMultiply, "*", Level::kProduct, Level::kProduct, Level::kSigned},
    {BinaryOperator::kDivide, "/", Level::kProduct, Level::kProduct, Level::kSigned},
    {BinaryOperator::kPower, "^", Level::kPower, Level::kPostfix, Level::kSigned},
    {BinaryOperator::kLess, "<", Level::kComparison, Level::kSum, Level::kSum},
    {BinaryOperator::kLessEqual, "<=", Level::kComparison, Level::kSum, Level::kSum},
    {BinaryOperator::kGreater, ">", Level::kComparison, Level::kSum, Level::kSum},
    {BinaryOperator::kGreaterEqual, ">=", Level::kComparison, Level::kSum, Level::kSum},
    {BinaryOperator::kEqual, "==", Level::kComparison, Level::kSum, Level::kSum},
    {BinaryOperator::kNotEqual, "!=", Level::kComparison, Level::kSum, Level::kSum},
    {BinaryOperator::kAnd, "and", Level::kAnd, Level::kAnd, Level::kNot},
    {BinaryOperator::kOr, "or", Level::kOr, Level::kOr, Level::kAnd},
};

constexpr const OperatorInfo& operator_info(BinaryOperator op) {
  return *std::ranges::find(kOperators, op, &OperatorInfo::op);
}

}  // namespace vinculum::lang
