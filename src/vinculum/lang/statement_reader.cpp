#include "vinculum/lang/statement_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "vinculum/lang/parser.hpp"

namespace vinculum::lang {

using diag::Kind;

Name StatementReader::word(std::string_view what) {
  const Token token = cursor_.peek();
  if (token.kind != TokenKind::kName) {
    cursor_.fail_expected(what);
    return {};
  }
  cursor_.take();
  return {std::string(token.text), token.range};
}

Name StatementReader::declared(std::string_view what) { return declared(what, Ranges::kNo); }

Name StatementReader::family(std::string_view what) { return declared(what, Ranges::kYes); }

Name StatementReader::declared(std::string_view what, Ranges ranges) {
  const Token first = cursor_.peek();
  Name result = word(what);
  if (cursor_.is_at("[")) result.indices = parse_indices_at(cursor_, ranges);
  if (cursor_.is_at(".")) {
    cursor_.fail(Kind::kUnexpectedToken, cursor_.peek().range, "a declared name has no `.`",
                 "names with a `.` are those of the parts of a component in use");
  }
  result.range = cursor_.range_from(first);
  return result;
}

Name StatementReader::name(std::string_view what) {
  const Token first = cursor_.peek();
  Name result = word(what);
  for (int owners = 0;;) {
    if (cursor_.is_at("[") && result.indices.empty()) {
      result.indices = parse_indices_at(cursor_, Ranges::kNo);
    } else if (cursor_.take_if(".")) {
      const Name part = word("a name after the `.`");
      if (result.indices.empty()) {
        result.text += '.' + part.text;
      } else if (++owners > kMaxNesting) {
        cursor_.fail(Kind::kNestingTooDeep, part.range,
                     fmt::format("parts of components are nested deeper than {} levels here", kMaxNesting));
        return result;
      } else {
        result = Name{part.text, {}, {}, std::make_shared<const Name>(std::move(result))};
      }
    } else {
      return result;
    }
    result.range = cursor_.range_from(first);
  }
}

ExpressionPtr StatementReader::expression(ExpressionEnd end) { return parse_expression_at(cursor_, end); }

std::vector<ExpressionPtr> StatementReader::expressions() {
  std::vector<ExpressionPtr> result;
  do {
    result.push_back(expression());
  } while (cursor_.take_if(","));
  return result;
}

bool StatementReader::take_option(std::string_view word, ExpressionPtr& value) {
  if (!may_take_option(word, value != nullptr)) return false;
  value = expression();
  return true;
}
bool StatementReader::take_option(std::string_view word, std::optional<Name>& value, std::string_view what) {
  if (!may_take_option(word, value.has_value())) return false;
  value = name(what);
  return true;
}
bool StatementReader::may_take_option(std::string_view word, bool is_given) {
  if (!cursor_.is_at_words(word)) return false;
  if (is_given) {
    cursor_.fail(Kind::kUnexpectedToken, cursor_.peek().range, fmt::format("`{}` is given twice", word));
    return false;
  }
  for (auto left = std::ranges::count(word, ' '); left >= 0; --left) cursor_.take();
  return true;
}

void StatementReader::expect_equals(const Expression& left) {
  const auto* comparison = std::get_if<Binary>(&left.node);
  if (comparison != nullptr && comparison->op == BinaryOperator::kEqual && !cursor_.is_at("=")) {
    cursor_.fail(Kind::kUnexpectedToken, comparison->op_range, "expected `=`, found `==`",
                 "`==` compares; an equation is written with `=`");
  }
  if (comparison != nullptr && comparison->op == BinaryOperator::kNotEqual && !cursor_.is_at("=")) {
    cursor_.fail(Kind::kUnexpectedToken, comparison->op_range, "expected `=`, found `!=`",
                 "a constraint is an equation; `!=` compares, in conditions");
  }
  cursor_.expect("=", cursor_.is_at_end() ? "an equation has two sides: `… = 0`" : "");
}

std::vector<std::string> words_of(std::span<const KeywordInfo> table) {
  std::vector<std::string> result;
  for (const KeywordInfo& row : table) result.emplace_back(row.word);
  return result;
}

diag::Diagnostic not_supported(SourceRange range, std::string_view what, const KeywordInfo& info) {
  diag::Diagnostic diagnostic = diag::error(
      Kind::kNotSupported, range, fmt::format("{} is not supported by this version", what), std::string(info.instead));
  diagnostic.label = std::string(info.meaning);
  return diagnostic;
}

}  // namespace vinculum::lang
