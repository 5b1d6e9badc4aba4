#include "vinculum/lang/expression_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "vinculum/base/unit.hpp"
#include "vinculum/lang/operators.hpp"
#include "vinculum/lang/table_options.hpp"
#include "vinculum/lang/walk.hpp"

namespace vinculum::lang {
namespace {

using enum Level;

Level level_of(const Expression& expression) {
  if (std::holds_alternative<Conditional>(expression.node)) return kConditional;
  if (const auto* binary = std::get_if<Binary>(&expression.node)) return operator_info(binary->op).level;
  if (const auto* unary = std::get_if<Unary>(&expression.node)) {
    return unary->op == UnaryOperator::kNot ? kNot : kSigned;
  }
  return kPostfix;
}

// The subexpression whose last token is the last token of `expression`.
const Expression& last_part(const Expression& expression) {
  const Expression* part = &expression;
  for (;;) {
    if (const auto* binary = std::get_if<Binary>(&part->node)) {
      if (level_of(*binary->right) < operator_info(binary->op).right) return *part;
      part = binary->right.get();
    } else if (const auto* unary = std::get_if<Unary>(&part->node)) {
      if (level_of(*unary->operand) < level_of(*part)) return *part;
      part = unary->operand.get();
    } else if (const auto* conditional = std::get_if<Conditional>(&part->node)) {
      part = conditional->if_false.get();
    } else {
      return *part;
    }
  }
}

class ExpressionFormatter {
 public:
  // \param weakest     an expression that binds weaker than this level is bracketed
  // \param is_divisor  whether the expression is a divisor or an exponent. A number with a unit is then bracketed, so
  // that its unit is not read as the unit of the whole item.
  void print(const Expression& expression, Level weakest, bool is_divisor = false) {
    const auto* number = std::get_if<NumberLiteral>(&expression.node);
    const bool is_bracketed =
        level_of(expression) < weakest || (is_divisor && number != nullptr && number->unit.has_value());
    if (is_bracketed) out_ += '(';
    std::visit([&](const auto& node) { print_node(node, is_divisor && !is_bracketed); }, expression.node);
    if (is_bracketed) out_ += ')';
  }

  void print(const Name& name) {
    if (name.owner != nullptr) {
      print(*name.owner);
      out_ += '.';
    }
    out_ += name.text;
    if (name.indices.empty()) return;
    out_ += '[';
    print_list(name.indices);
    out_ += ']';
  }

  // Prints `1..n`. A bound that has a decimal point next to the `..` is bracketed: `(1.)..(.5*n)`
  void print_range(const Expression& from, const Expression& to) {
    print_bound(from);
    out_ += "..";
    print_bound(to);
  }

  std::string take() { return std::move(out_); }

 private:
  void print_node(const NumberLiteral& node, bool) {
    out_ += node.spelling;
    if (!node.unit) return;
    out_ += ' ';
    out_ += format_unit(*node.unit);
  }
  void print_bound(const Expression& bound) {
    const std::size_t begin = out_.size();
    print(bound, kSum);
    if (out_[begin] != '.' && !out_.ends_with('.')) return;
    out_.insert(begin, 1, '(');
    out_ += ')';
  }
  void print_node(const StringLiteral& node, bool) {
    out_ += '"';
    out_ += node.value;
    out_ += '"';
  }
  void print_node(const NameReference& node, bool) { out_ += node.name; }
  void print_node(const Prime& node, bool) {
    print(*node.operand, kPostfix);
    out_.append(static_cast<std::size_t>(node.count), '\'');
  }
  void print_node(const Index& node, bool) {
    const bool is_literal = std::holds_alternative<NumberLiteral>(node.operand->node) ||
                            std::holds_alternative<StringLiteral>(node.operand->node);
    if (is_literal) out_ += '(';
    print(*node.operand, kPostfix);
    if (is_literal) out_ += ')';
    out_ += '[';
    print_list(node.indices);
    out_ += ']';
  }
  void print_node(const Member& node, bool) {
    print(*node.operand, kPostfix);
    out_ += '.';
    print(node.member);
  }
  void print_node(const Call& node, bool) {
    out_ += node.function.text;
    out_ += '(';
    print_list(node.arguments, node.function.text == "table");
    for (const CallOption& option : node.options) {
      out_ += ',';
      out_ += kBreakOrBlank;
      out_ += option.word.text;
      if (option.value.text.empty() && !option.is_text) continue;
      out_ += option.is_text ? " \"" + option.value.text + '"' : ' ' + option.value.text;
    }
    out_ += ')';
  }
  void print_node(const Unary& node, bool is_divisor) {
    out_ += node.op == UnaryOperator::kMinus ? "-" : node.op == UnaryOperator::kPlus ? "+" : "not ";
    print(*node.operand, node.op == UnaryOperator::kNot ? kNot : kSigned, is_divisor);
  }
  void print_node(const Binary& node, bool) {
    const OperatorInfo& info = operator_info(node.op);
    print(*node.left, info.left);
    const bool is_product = info.level == kProduct;
    // `0.3 [N] * N.x` with spaces, but `2*x` and `x^2` without
    const bool is_spaced =
        info.level < kProduct || (is_product && out_.ends_with(']') && ends_in_unit(*node.left, info.left));
    if (is_spaced) out_ += ' ';
    out_ += info.spelling;
    if (is_spaced) {
      out_ += kBreakOrBlank;
    } else if (is_product) {
      out_ += kBreak;
    }
    print(*node.right, info.right, node.op == BinaryOperator::kDivide || node.op == BinaryOperator::kPower);
  }
  void print_node(const Conditional& node, bool) {
    print(*node.if_true, kOr);
    out_ += " if ";
    print(*node.condition, kOr);
    out_ += " else ";
    print(*node.if_false, kConditional);
  }
  void print_node(const Absolute& node, bool) {
    out_ += '|';
    print(*node.operand, kConditional);
    out_ += '|';
  }
  void print_node(const List& node, bool) {
    out_ += '[';
    for (std::size_t i = 0; i < node.rows.size(); ++i) {
      if (i > 0) {
        out_ += ';';
        out_ += kBreakOrBlank;
      }
      print_list(node.rows[i]);
    }
    out_ += ']';
  }

  void print_node(const Range& node, bool) { print_range(*node.from, *node.to); }

  /// \param is_of_table  a name that could be read as an option of `table` is put in brackets
  void print_list(const auto& list, bool is_of_table = false) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0) {
        out_ += ',';
        out_ += kBreakOrBlank;
      }
      const auto* name = is_of_table && i > 1 ? std::get_if<NameReference>(&list[i]->node) : nullptr;
      const bool is_option = name != nullptr && find_table_option(name->name) != nullptr;
      if (is_option) out_ += '(';
      print(*list[i], kConditional);
      if (is_option) out_ += ')';
    }
  }

  static bool ends_in_unit(const Expression& expression, Level weakest) {
    return level_of(expression) >= weakest && std::holds_alternative<NumberLiteral>(last_part(expression).node);
  }

  std::string out_;
};

// Whether the last token of the expression is a number in a divisor or an exponent.
bool ends_in_divisor(const Expression& expression) {
  if (const auto* binary = std::get_if<Binary>(&expression.node)) {
    if (binary->op == BinaryOperator::kDivide || binary->op == BinaryOperator::kPower) return true;
    return ends_in_divisor(*binary->right);
  }
  if (const auto* unary = std::get_if<Unary>(&expression.node)) return ends_in_divisor(*unary->operand);
  if (const auto* conditional = std::get_if<Conditional>(&expression.node))
    return ends_in_divisor(*conditional->if_false);
  return false;
}

// Whether the expression, used as an index, could be read as a unit: `[m]`, `[kg/s]`.
bool is_unit_like(const Expression& expression) {
  if (const auto* name = std::get_if<NameReference>(&expression.node)) return find_unit(name->name).has_value();
  if (const auto* number = std::get_if<NumberLiteral>(&expression.node)) return !number->unit.has_value();
  if (const auto* unary = std::get_if<Unary>(&expression.node)) return is_unit_like(*unary->operand);
  const auto* binary = std::get_if<Binary>(&expression.node);
  return binary != nullptr && kProduct <= operator_info(binary->op).level && is_unit_like(*binary->left) &&
         is_unit_like(*binary->right);
}

bool needs_brackets(const Expression& value, bool has_unit) {
  const Expression& last = last_part(value);
  if (const auto* index = std::get_if<Index>(&last.node)) {
    return index->indices.size() == 1 && is_unit_like(*index->indices.front());
  }
  const auto* number = std::get_if<NumberLiteral>(&last.node);
  if (!has_unit || number == nullptr || number->unit) return false;
  return !ends_in_divisor(value) || lang::has_unit(value);
}

// The name that is the first token of an expression; empty if the first token is not a name.
std::string_view first_name(const Expression& expression) {
  const auto& node = expression.node;
  if (const auto* name = std::get_if<NameReference>(&node)) return name->name;
  if (const auto* prime = std::get_if<Prime>(&node)) return first_name(*prime->operand);
  if (const auto* index = std::get_if<Index>(&node)) return first_name(*index->operand);
  if (const auto* member = std::get_if<Member>(&node)) return first_name(*member->operand);
  if (const auto* call = std::get_if<Call>(&node)) return call->function.text;
  if (const auto* binary = std::get_if<Binary>(&node)) return first_name(*binary->left);
  if (const auto* conditional = std::get_if<Conditional>(&node)) return first_name(*conditional->if_true);
  return {};
}

}  // namespace

std::string format_with_breaks(const Expression& expression) {
  ExpressionFormatter formatter;
  formatter.print(expression, kConditional);
  return formatter.take();
}

std::string format_with_breaks(const Name& name) {
  ExpressionFormatter formatter;
  formatter.print(name);
  return formatter.take();
}

std::string format_range_with_breaks(const Expression& from, const Expression& to) {
  ExpressionFormatter formatter;
  formatter.print_range(from, to);
  return formatter.take();
}

std::string format_item(const Expression& value, const std::optional<Unit>& unit) {
  std::string result = format_with_breaks(value);
  if (needs_brackets(value, unit.has_value())) {
    result.insert(result.begin(), '(');
    result += ')';
  }
  if (unit) {
    result += ' ';
    result += format_unit(*unit);
  }
  return result;
}

std::string format_unless_word(const Expression& expression, std::span<const std::string_view> words) {
  std::string result = format_with_breaks(expression);
  if (std::ranges::find(words, first_name(expression)) == words.end()) return result;
  result.insert(result.begin(), '(');
  result += ')';
  return result;
}

std::string format_side(const Expression& expression) {
  const auto* binary = std::get_if<Binary>(&expression.node);
  const auto* unary = std::get_if<Unary>(&expression.node);
  const bool is_weak =
      std::holds_alternative<Conditional>(expression.node) || (unary != nullptr && unary->op == UnaryOperator::kNot) ||
      (binary != nullptr && std::ranges::find(kOperators, binary->op, &OperatorInfo::op)->level <= Level::kComparison);
  return is_weak ? "(" + format_with_breaks(expression) + ")" : format_with_breaks(expression);
}

std::string format_unit(const Unit& unit) {
  std::string result = "[";
  bool is_first = true;
  for (const UnitFactor& factor : unit.factors) {
    // The first factor has no `/` before it, so its exponent keeps its sign.
    const bool divides = !is_first && factor.numerator < 0;
    if (!is_first) result += divides ? '/' : '*';
    result += factor.name;
    const int numerator = divides ? -factor.numerator : factor.numerator;
    if (factor.denominator != 1) {
      result += fmt::format("^({}/{})", numerator, factor.denominator);
    } else if (numerator != 1) {
      result += fmt::format("^{}", numerator);
    }
    is_first = false;
  }
  result += ']';
  return result;
}

}  // namespace vinculum::lang
