#pragma once

#include <memory>
#include <type_traits>

#include "vinculum/lang/ast.hpp"

namespace vinculum::lang {

/// Calls `visit` with the place of each operand that is there, in the order written.
/// \param expression  an Expression, or a const one: then the places are const too.
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

/// Calls `visit` with each operand of an expression, in the order written.
template <class Visit>
void for_each_operand(const Expression& expression, const Visit& visit) {
  for_each_operand_place(expression, [&](const ExpressionPtr& operand) { visit(*operand); });
}

/// Whether a number in the expression has a unit.
[[nodiscard]] bool has_unit(const Expression& expression);

/// A copy of its own, for whoever shares or keeps it.
[[nodiscard]] inline std::unique_ptr<Expression> clone(const Expression& expression) {
  return std::make_unique<Expression>(expression);
}

/// Goes through the names and expressions of statements in the order of the grammar, those of blocks included; as it
/// stands it does nothing with them. Words of the language (a sequence of rotations, a kind of joint, a method) are no
/// names. Trees are at most `kMaxHeight` (parser.hpp) high.
template <bool kMayChange>
class BasicWalker {
 public:
  template <class T>
  using Seen = std::conditional_t<kMayChange, T, const T>;

  virtual ~BasicWalker() = default;
  virtual void statement(Seen<Statement>& statement);
  /// At an expression, never null: goes on to its operands.
  virtual void expression(Seen<ExpressionPtr>& place) {
    for_each_operand_place(*place, [&](Seen<ExpressionPtr>& operand) { expression(operand); });
  }
  /// A name that its statement declares; for several things at once where its indices are ranges.
  virtual void declared(Seen<Name>&) {}
  /// The unit that closes an item, where it has one; numbers have their own.
  virtual void unit(Seen<Unit>&) {}
  /// A name that stands for something declared elsewhere.
  virtual void used(Seen<Name>&) {}
};

using Walker = BasicWalker<false>;   ///< looks
using Rewriter = BasicWalker<true>;  ///< may change what it sees in its place

}  // namespace vinculum::lang
