#include "vinculum/lang/expression_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "vinculum/base/unit.hpp"
#include "vinculum/lang/keywords.hpp"
#include "vinculum/lang/operators.hpp"
#include "vinculum/lang/parser.hpp"
#include "vinculum/lang/restored.hpp"
#include "vinculum/lang/table_options.hpp"

namespace vinculum::lang {
namespace {

// The table row of an infix operator, or null; `^` is handled by `power`.
const OperatorInfo* find_infix(const Token& token) {
  if (token.kind != TokenKind::kName && token.kind != TokenKind::kSymbol) return nullptr;
  const auto* row = std::ranges::find(kOperators, token.text, &OperatorInfo::spelling);
  return row == std::end(kOperators) || row->op == BinaryOperator::kPower ? nullptr : row;
}

// An expression and the height of its tree.
struct Tree {
  ExpressionPtr root;
  int height = 1;
};

class ExpressionParser {
 public:
  ExpressionParser(Cursor& cursor, ExpressionEnd end) : cursor_(cursor), end_(end) {}

  // expression = or-expression [ "if" or-expression "else" expression ]
  Tree expression() {
    const Restored nesting(nesting_, nesting_ + 1);
    if (is_too_deep()) return nothing();
    Tree if_true = infix(Level::kOr);
    if (cursor_.is_at_choice() || !cursor_.take_if_word("if")) return if_true;
    Tree condition = infix(Level::kOr);
    if (!cursor_.take_if_word("else")) {
      cursor_.fail_expected("`else`", "a conditional is written `a if condition else b`");
      return nothing();
    }
    Tree if_false = expression();
    const int height = std::max({if_true.height, condition.height, if_false.height});
    const SourceRange range = diag::cover(if_true.root->range, if_false.root->range);
    return make(Conditional{std::move(if_true.root), std::move(condition.root), std::move(if_false.root)}, range,
                height);
  }

  // indices = "[" expression { "," expression } "]"      ranges = "[" range { "," range } "]"
  // range   = expression [ ".." expression ]
  std::vector<ExpressionPtr> indices(Ranges ranges) {
    int height = 0;
    if (!may_be_index()) return {};
    const Token open = cursor_.take();
    return arguments("]", open, height, ranges);
  }

  // variable = NAME { primes | "[" list "]" | "." NAME }
  Tree variable() {
    ranges_ = Ranges::kYes;
    if (is_at_name()) return postfix();
    cursor_.fail_expected("a coordinate or a speed");
    return nothing();
  }

 private:
  bool is_too_deep() {
    if (nesting_ <= kMaxNesting) return false;
    cursor_.fail(diag::Kind::kNestingTooDeep, cursor_.peek().range,
                 fmt::format("expressions are nested deeper than {} levels here", kMaxNesting),
                 "name parts of it by `let`");
    return true;
  }

  template <class Node>
  Tree make(Node node, SourceRange range, int height_below) {
    const int height = height_below + 1;
    if (height > kMaxHeight) {
      cursor_.fail(diag::Kind::kNestingTooDeep, range,
                   fmt::format("this expression has more than {} levels", kMaxHeight), "name parts of it by `let`");
    }
    return {std::make_unique<Expression>(Expression{std::move(node), range}), height};
  }

  Tree nothing() {
    const SourceRange range = cursor_.peek().range;
    return make(NameReference{}, range, 0);
  }

  // or-expression  = and-expression { "or" and-expression }
  // and-expression = not-expression { "and" not-expression }
  // not-expression = "not" not-expression | comparison
  // comparison     = sum [ ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) sum ]
  // sum            = product { ( "+" | "-" ) product }
  // product        = signed { ( "*" | "/" ) signed }
  Tree infix(Level weakest) {
    Tree left = cursor_.is_at_word("not") && weakest <= Level::kNot ? negation() : sign();
    for (;;) {
      const Token& token = cursor_.peek();
      const OperatorInfo* found = find_infix(token);
      if (found == nullptr || found->level < weakest || is_plus_minus()) return left;
      if (end_ == ExpressionEnd::kRelation && found->level == Level::kComparison) return left;
      const SourceRange op_range = cursor_.take().range;
      is_divisor_ = found->op == BinaryOperator::kDivide;
      Tree right = infix(found->right);
      const SourceRange range = diag::cover(left.root->range, right.root->range);
      const int height = std::max(left.height, right.height);
      left = make(Binary{found->op, op_range, std::move(left.root), std::move(right.root)}, range, height);
      if (found->level != Level::kComparison) continue;
      const OperatorInfo* next = find_infix(cursor_.peek());
      if (next != nullptr && next->level == Level::kComparison) {
        cursor_.fail_expected("one comparison", "join two comparisons by `and`: `a < b and b < c`");
      }
    }
  }

  bool is_plus_minus() const {
    return end_ == ExpressionEnd::kPlusMinus && cursor_.is_at("+") && cursor_.peek(1).is_symbol("-") &&
           !cursor_.peek(1).has_space_before;
  }

  Tree negation() {
    const Restored nesting(nesting_, nesting_ + 1);
    if (is_too_deep()) return nothing();
    const Token op = cursor_.take();
    Tree operand = infix(Level::kNot);
    const SourceRange range = diag::cover(op.range, operand.root->range);
    return make(Unary{UnaryOperator::kNot, std::move(operand.root)}, range, operand.height);
  }

  // signed = ( "-" | "+" ) signed | power
  Tree sign() {
    if (!cursor_.is_at("-") && !cursor_.is_at("+")) return power();
    const Restored nesting(nesting_, nesting_ + 1);
    if (is_too_deep()) return nothing();
    const Token op = cursor_.take();
    Tree operand = sign();
    const SourceRange range = diag::cover(op.range, operand.root->range);
    return make(Unary{op.text == "-" ? UnaryOperator::kMinus : UnaryOperator::kPlus, std::move(operand.root)}, range,
                operand.height);
  }

  // power = postfix [ "^" signed ]
  Tree power() {
    Tree base = postfix();
    if (!cursor_.is_at("^")) return base;
    const Restored nesting(nesting_, nesting_ + 1);
    if (is_too_deep()) return nothing();
    const SourceRange op_range = cursor_.take().range;
    is_divisor_ = true;
    Tree exponent = sign();
    const SourceRange range = diag::cover(base.root->range, exponent.root->range);
    const int height = std::max(base.height, exponent.height);
    return make(Binary{BinaryOperator::kPower, op_range, std::move(base.root), std::move(exponent.root)}, range,
                height);
  }

  static bool may_have_primes(const Expression& operand) {
    return std::holds_alternative<NameReference>(operand.node) || std::holds_alternative<Index>(operand.node) ||
           std::holds_alternative<Member>(operand.node);
  }

  static bool is_literal(const Expression& operand) {
    return std::holds_alternative<NumberLiteral>(operand.node) || std::holds_alternative<StringLiteral>(operand.node);
  }

  // postfix = primary { primes | "[" expression { "," expression } "]" | "." NAME }
  Tree postfix() {
    const Token first = cursor_.peek();
    Tree operand = primary();
    for (;;) {
      const Token token = cursor_.peek();
      const bool is_bracketed = first.is_symbol("(");
      if (token.kind == TokenKind::kPrimes) {
        if (!may_have_primes(*operand.root) || is_bracketed) {
          cursor_.fail(diag::Kind::kUnexpectedToken, token.range, "primes follow the name of a coordinate or a speed",
                       "the time derivative of an expression is `dt(…)`");
          return operand;
        }
        cursor_.take();
        operand = make(Prime{std::move(operand.root), static_cast<int>(token.text.size())}, cursor_.range_from(first),
                       operand.height);
      } else if (token.is_symbol("[")) {
        if (end_ == ExpressionEnd::kUnit && is_at_closing_unit(cursor_)) return operand;
        if (!is_bracketed && is_literal(*operand.root)) {
          cursor_.fail_expected("an operator", "only lists have elements, and a number has one unit");
          return operand;
        }
        operand = index(first, std::move(operand));
      } else if (token.is_symbol(".")) {
        if (is_bracketed || !may_have_primes(*operand.root)) {
          cursor_.fail_expected("an operator", hint_of_measure(first));
          return operand;
        }
        cursor_.take();
        const Token member = cursor_.peek();
        if (member.kind != TokenKind::kName) {
          cursor_.fail_expected("a name after the `.`");
          return operand;
        }
        cursor_.take();
        operand = make(Member{std::move(operand.root), {std::string(member.text), member.range}},
                       cursor_.range_from(first), operand.height);
      } else {
        return operand;
      }
    }
  }

  // Hint for `vel(P).x`, where `first` is the first token of the operand before the `.`.
  std::string hint_of_measure(const Token& first) const {
    const Token& member = cursor_.peek(1);
    const bool is_product = member.is_name("dot") || member.is_name("cross");
    if (is_product && cursor_.peek(2).is_symbol("("))
      return fmt::format("a product of vectors is `{}({}, …)`", member.text, cursor_.text_since(first));
    if (member.is_name("x") || member.is_name("y") || member.is_name("z"))
      return fmt::format("a measure number of a vector is `dot({}, N.{})`", cursor_.text_since(first), member.text);
    return "frames, bodies and components have members; a measure number of a vector is `dot(v, N.x)`, an entry of a "
           "list `a[1]`";
  }

  Tree index(const Token& first, Tree operand) {
    if (!may_be_index()) return operand;
    const Token open = cursor_.take();
    int height = operand.height;
    std::vector<ExpressionPtr> indices = arguments("]", open, height, std::exchange(ranges_, Ranges::kNo));
    return make(Index{std::move(operand.root), std::move(indices)}, cursor_.range_from(first), height);
  }

  // Whether the bracket at the cursor can contain indices; reports an error if not.
  bool may_be_index() {
    const Token& open = cursor_.peek();
    if (cursor_.peek(1).is_symbol("]")) {
      cursor_.take();
      cursor_.fail_expected("an index", "elements count from 1: `q[1]`");
      return false;
    }
    if (open.has_space_before && is_unit_like()) {
      cursor_.fail(diag::Kind::kUnexpectedToken, open.range, "a unit is not allowed here",
                   cursor_.form().starts_with("output")
                       ? "the unit in which an output is shown follows `as`: `output T = EXPR as [N*m]`"
                       : "a unit follows a number, or closes a `param`, `coord`, `speed` or `start`");
      return false;
    }
    return true;
  }

  // Whether the bracket at the cursor begins like a unit: `[m]`, `[m/s]`, `[N*m]`. It follows a space.
  bool is_unit_like() const {
    const Token& name = cursor_.peek(1);
    const Token& next = cursor_.peek(2);
    const bool is_one = name.kind == TokenKind::kNumber && name.text == "1" && next.is_symbol("/");
    return is_one || (name.kind == TokenKind::kName && find_unit(name.text) &&
                      (next.is_symbol("]") || next.is_symbol("/") || next.is_symbol("*") || next.is_symbol("^")));
  }

  // Comma-separated expressions up to `closing`, which matches `open`. Raises `height` to the height of the highest
  // expression.
  std::vector<ExpressionPtr> arguments(std::string_view closing, const Token& open, int& height,
                                       Ranges ranges = Ranges::kNo, std::vector<CallOption>* options = nullptr) {
    const Restored inside(end_, ExpressionEnd::kPlain);  // no unit ends an item here, and `+-` are two operators
    std::vector<ExpressionPtr> result;
    if (!cursor_.is_at(closing)) {
      do {
        if (options != nullptr && result.size() > 1 && is_at_option(closing)) {
          options->push_back(option());
          continue;
        }
        Tree one = ranges == Ranges::kYes ? range() : expression();
        height = std::max(height, one.height);
        result.push_back(std::move(one.root));
      } while (cursor_.take_if(","));
    }
    if (cursor_.is_at("..")) {
      cursor_.fail_expected(
          fmt::format("`,` or `{}`", closing),
          "a range declares a family, as in `coord q[1..3]` and `param m[1..3] = …`, or is that of a `for`");
    }
    cursor_.expect_closing(open, closing);
    return result;
  }

  // Whether an option of `table` begins at the cursor: a word of such an option alone, any two words, or a word and a
  // string.
  bool is_at_option(std::string_view closing) const {
    const Token& token = cursor_.peek();
    const Token& next = cursor_.peek(1);
    if (token.kind != TokenKind::kName) return false;
    if (next.kind == TokenKind::kString) return true;
    if (next.kind == TokenKind::kName) return !is_word_operator(token.text) && !is_word_operator(next.text);
    return find_table_option(token.text) != nullptr && (next.is_symbol(",") || next.is_symbol(closing));
  }

  CallOption option() {
    const Token word = cursor_.take();
    CallOption result{{std::string(word.text), word.range}, {}, false};
    const Token value = cursor_.peek();
    if (value.kind != TokenKind::kName && value.kind != TokenKind::kString) return result;
    cursor_.take();
    result.value = {std::string(value.text), value.range};
    result.is_text = value.kind == TokenKind::kString;
    return result;
  }

  Tree range() {
    Tree from = expression();
    if (!cursor_.take_if("..")) return from;
    Tree to = expression();
    const SourceRange both = diag::cover(from.root->range, to.root->range);
    const int height = std::max(from.height, to.height);
    return make(Range{std::move(from.root), std::move(to.root)}, both, height);
  }

  // Whether the word at the cursor can be an operand. A connective word such as `from` counts as an operand only if no
  // operand follows it: in `= from Q` the value is missing.
  bool is_at_name() const {
    const Token& token = cursor_.peek();
    if (token.kind != TokenKind::kName || is_word_operator(token.text)) return false;
    if (!is_connective(token.text)) return true;
    const Token& next = cursor_.peek(1);
    const bool begins_operand = (next.kind == TokenKind::kName && !is_connective(next.text)) ||
                                next.kind == TokenKind::kNumber || next.kind == TokenKind::kString ||
                                next.is_symbol("(");
    return !begins_operand || next.is_first_on_line;
  }

  // primary = NUMBER [ unit ] | STRING | NAME [ "(" [ expression { "," expression } { "," option } ] ")" ]
  //         | "(" expression ")"
  //         | "|" expression "|" | list
  Tree primary() {
    const bool is_divisor = std::exchange(is_divisor_, false);
    const Token token = cursor_.peek();
    if (token.kind == TokenKind::kNumber) return number(is_divisor);
    if (token.kind == TokenKind::kString) {
      cursor_.take();
      return make(StringLiteral{std::string(token.text)}, token.range, 0);
    }
    if (is_at_name()) return name();
    if (token.is_symbol("(")) {
      cursor_.take();
      const Restored inside(end_, ExpressionEnd::kPlain);  // no unit ends an item here, and `+-` are two operators
      Tree result = expression();
      cursor_.expect_closing(token, ")");
      result.root->range = cursor_.range_from(token);
      return result;
    }
    if (token.is_symbol("|")) {
      cursor_.take();
      const Restored inside(end_, ExpressionEnd::kPlain);  // no unit ends an item here, and `+-` are two operators
      Tree operand = expression();
      cursor_.expect_closing(token, "|");
      return make(Absolute{std::move(operand.root)}, cursor_.range_from(token), operand.height);
    }
    if (token.is_symbol("[")) return list();
    fail_no_operand(token);
    return nothing();
  }

  void fail_no_operand(const Token& token) {
    const Token& open = cursor_.last_taken();
    if (token.kind == TokenKind::kEnd) {
      if (open.is_symbol("(")) return cursor_.expect_closing(open, ")");
      if (open.is_symbol("[")) return cursor_.expect_closing(open, "]");
      if (open.is_symbol("|")) return cursor_.expect_closing(open, "|");
    }
    if (token.is_symbol(")") || token.is_symbol("]")) {
      const Token& before = cursor_.last_taken();
      if (!before.is_symbol("(") && !before.is_symbol("[")) {
        return cursor_.fail_expected("an expression", "an operator or a comma before it has no right side");
      }
    }
    if (token.is_symbol("=") && cursor_.last_taken().is_symbol("=")) {
      return cursor_.fail_expected("an expression", "equality is compared by ==, without a space");
    }
    if (token.is_symbol(">") && cursor_.last_taken().is_symbol("-") && !token.has_space_before)
      return cursor_.fail_expected(
          "an expression", "an arrow has no meaning here: the value follows the word; a function is `let f(x) = x^2`");
    if (token.is_symbol("<"))
      return cursor_.fail_expected("an expression", "a vector is a sum: `a*N.x + b*N.y + c*N.z`");
    if (token.is_symbol("±")) return cursor_.fail_expected("an expression", "a tolerance belongs to `expect` only");
    cursor_.fail_expected("an expression", token.text == "if" ? "a choice is written `A if t < 1 [s] else B`" : "");
  }

  Tree number(bool is_divisor) {
    const Token token = cursor_.take();
    NumberLiteral literal{token.value, std::string(token.text), std::nullopt};
    // In `2*pi/3 [rad/s]` the unit belongs to the item; in `10 [N] / 2 [m]` each number has its own unit.
    const bool is_of_item = end_ == ExpressionEnd::kUnit && is_divisor && !has_unit_ && is_at_closing_unit(cursor_);
    if (!is_of_item) literal.unit = parse_unit_at(cursor_);
    has_unit_ = has_unit_ || literal.unit.has_value();
    return make(std::move(literal), cursor_.range_from(token), 0);
  }

  Tree name() {
    const Token token = cursor_.take();
    if (!cursor_.is_at("(")) return make(NameReference{std::string(token.text)}, token.range, 0);
    const Restored nesting(nesting_, nesting_ + 1);
    if (is_too_deep()) return nothing();
    const Token open = cursor_.take();
    int height = 0;
    std::vector<CallOption> options;
    std::vector<ExpressionPtr> values =
        arguments(")", open, height, Ranges::kNo, token.text == "table" ? &options : nullptr);
    return make(Call{{std::string(token.text), token.range}, std::move(values), std::move(options)},
                cursor_.range_from(token), height);
  }

  // list = "[" [ row { ";" row } ] "]"      row = expression { "," expression }
  Tree list() {
    const Token open = cursor_.take();
    const Restored inside(end_, ExpressionEnd::kPlain);  // no unit ends an item here, and `+-` are two operators
    List result;
    int height = 0;
    if (!cursor_.is_at("]")) {
      do {
        std::vector<ExpressionPtr>& row = result.rows.emplace_back();
        do {
          Tree one = expression();
          height = std::max(height, one.height);
          row.push_back(std::move(one.root));
        } while (cursor_.take_if(","));
      } while (cursor_.take_if(";"));
    }
    cursor_.expect_closing(open, "]");
    return make(std::move(result), cursor_.range_from(open), height);
  }

  Cursor& cursor_;
  ExpressionEnd end_;
  int nesting_ = 0;
  Ranges ranges_ = Ranges::kNo;  // whether the next index may contain ranges
  bool is_divisor_ = false;      // whether the next primary is a divisor or an exponent
  bool has_unit_ = false;        // whether an earlier number had a unit
};

}  // namespace

ExpressionPtr parse_expression_at(Cursor& cursor, ExpressionEnd end) {
  ExpressionPtr result = ExpressionParser(cursor, end).expression().root;
  cursor.note_expression_end();
  return result;
}

std::vector<ExpressionPtr> parse_indices_at(Cursor& cursor, Ranges ranges) {
  return ExpressionParser(cursor, ExpressionEnd::kPlain).indices(ranges);
}

ExpressionPtr parse_variable_at(Cursor& cursor) {
  return ExpressionParser(cursor, ExpressionEnd::kPlain).variable().root;
}

}  // namespace vinculum::lang
