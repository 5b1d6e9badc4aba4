#pragma once

#include <memory>
#include <type_traits>

#include "vinculum/lang/ast.hpp"

namespace vinculum::lang {

/// Calls `visit` with the pointer to each operand of an expression that is not null, in the order of the text.
/// \param expression  an Expression, possibly const; the pointers are then const too.
template <class AnyExpression, class Visit>
void for_each_operand_place(AnyExpression& expression, const Visit& visit) {
  const auto one = [&](auto& place) {
    if (place) visit(place);
  };
  const auto all = [&](auto& places) {
    for (auto& place : places) one(place);
  };
  const auto operands = [&](auto& node) {
    if constexpr (requires { node.operand; }) one(node.operand);
    if constexpr (requires { node.left; }) one(node.left), one(node.right);
    if constexpr (requires { node.if_true; }) one(node.if_true), one(node.condition), one(node.if_false);
    if constexpr (requires { node.from; }) one(node.from), one(node.to);
    if constexpr (requires { node.indices; }) all(node.indices);
    if constexpr (requires { node.arguments; }) all(node.arguments);
    if constexpr (requires { node.rows; }) {
      for (auto& row : node.rows) all(row);
    }
  };
  std::visit(operands, expression.node);
}

/// Calls `visit` with each operand of an expression, in the order of the text.
template <class Visit>
void for_each_operand(const Expression& expression, const Visit& visit) {
  for_each_operand_place(expression, [&](const ExpressionPtr& operand) { visit(*operand); });
}

/// Whether a number in the expression has a unit.
[[nodiscard]] bool has_unit(const Expression& expression);

/// A deep copy.
[[nodiscard]] inline std::unique_ptr<Expression> clone(const Expression& expression) {
  return std::make_unique<Expression>(expression);
}

/// Visits the names and expressions of statements in the order of the grammar, including the statements of nested
/// blocks. The functions of the base class do nothing with names and units. Words of the language (a rotation sequence,
/// a kind of joint, a method) do not count as names. The height of expression trees is at most `kMaxHeight`
/// (parser.hpp).
template <bool kMayChange>
class BasicWalker {
 public:
  template <class T>
  using Seen = std::conditional_t<kMayChange, T, const T>;

  virtual ~BasicWalker() = default;
  virtual void statement(Seen<Statement>& statement);
  /// Called for an expression, never null; the base class visits its operands.
  virtual void expression(Seen<ExpressionPtr>& place) {
    for_each_operand_place(*place, [&](Seen<ExpressionPtr>& operand) { expression(operand); });
  }
  /// Called for a surface of a joint; the base class visits its arguments.
  virtual void surface(Seen<JointSurface>& surface) {
    for (auto& argument : surface.arguments)
      if (argument) expression(argument);
  }
  /// Called for a declared name. If its indices are ranges, the name declares several things.
  virtual void declared(Seen<Name>&) {}
  /// Called for the unit at the end of an item; units of numbers are part of expressions.
  virtual void unit(Seen<Unit>&) {}
  /// Called for a name that refers to a declaration elsewhere.
  virtual void used(Seen<Name>&) {}
};

using Walker = BasicWalker<false>;   ///< read-only
using Rewriter = BasicWalker<true>;  ///< may change names and expressions in place

}  // namespace vinculum::lang
