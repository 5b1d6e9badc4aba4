#include "vinculum/lang/statement_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "vinculum/lang/foreign_words.hpp"
#include "vinculum/lang/syntax_reader.hpp"

namespace vinculum::lang {
namespace {

using diag::Kind;

bool is_equals(const Token& token) { return token.is_symbol("="); }

// Whether the rest of the statement, after its first name, is an equation without a keyword: `x' = 0`, `x^2 + y^2 = 1`
bool states_equation(const Cursor& cursor) {
  if (cursor.is_at("=") || cursor.is_at_end()) return false;
  const bool goes_on = cursor.peek().kind == TokenKind::kPrimes || cursor.is_at("^") || cursor.is_at("+") ||
                       cursor.is_at("-") || cursor.is_at("*") || cursor.is_at("/") || cursor.is_at("(");
  std::size_t ahead = 0;
  while (cursor.peek(ahead).kind != TokenKind::kEnd && !is_equals(cursor.peek(ahead))) ++ahead;
  return goes_on && is_equals(cursor.peek(ahead));
}

void fail_at_head(Cursor& cursor, const Token& head) {
  if (head.kind == TokenKind::kFault) return;
  if (head.is_symbol(")") || head.is_symbol("]") || head.is_symbol("}")) {
    return cursor.fail(Kind::kUnclosedBracket, head.range, fmt::format("`{}` closes no bracket", head.text),
                       "remove it");
  }
  if (head.kind != TokenKind::kName) {
    return cursor.fail(Kind::kUnknownStatement, head.range,
                       fmt::format("a statement begins with a keyword, found {}", describe(head)),
                       "indent a line that continues the one before");
  }
  if (const KeywordInfo* info = find_statement(head.text)) {
    return cursor.fail(not_supported(head.range, fmt::format("`{}`", head.text), *info));
  }
  if (find_clause(head.text) != nullptr) {
    return cursor.fail(Kind::kMisplacedStatement, head.range,
                       fmt::format("the clause `{}` has no constraint", head.text),
                       "a clause is indented under its `constraint` or `joint`");
  }
  if (find_view_item(head.text) != nullptr) {
    return cursor.fail(Kind::kMisplacedStatement, head.range, fmt::format("`{}` is an item of a `view`", head.text),
                       fmt::format("write `view {{`, a line with `{} …`, and `}}`", head.text));
  }
  if (head.text == "else") {
    return cursor.fail(Kind::kMisplacedStatement, head.range, "this `else` follows no `if`",
                       "it follows the `}` of its `if`");
  }
  std::string hint = hint_for_foreign_statement(head.text);
  if (hint.empty()) hint = hint_nearest(head.text, words_of(statement_table()));
  if (hint.empty() && states_equation(cursor)) {
    hint = "an equation that the motion obeys is `constraint NAME: … = …`, a start value `start … = …`";
  }
  if (hint.empty() && cursor.is_at("=")) {
    hint = fmt::format("a name is given by `let {} = …`, a constant by `param {} = …`", head.text, head.text);
  }
  if (hint.empty() && cursor.peek().kind == TokenKind::kName && is_equals(cursor.peek(1)))
    hint = fmt::format("a constant is `param {0} = …`, a name of an expression `let {0} = …`", cursor.peek().text);
  if (hint.empty())
    hint = "each statement begins with a word of the language: `coord`, `frame`, `particle`, `force`, …";
  cursor.fail(Kind::kUnknownStatement, head.range, fmt::format("no statement begins with {}", describe(head)), hint);
}

bool may_stand_in_view(const Token& head) {
  return find_view_item(head.text) != nullptr || head.is_name("for") || head.is_name("if");
}

void fail_at_item(Cursor& cursor, const Token& head) {
  const bool is_name = head.kind == TokenKind::kName;
  if (is_name && find_statement(head.text) != nullptr) {
    return cursor.fail(Kind::kMisplacedStatement, head.range, fmt::format("`{}` is not an item of a `view`", head.text),
                       "a `view` contains only items of the drawing; close it before this line");
  }
  if (!is_name || head.text == "else") return fail_at_head(cursor, head);
  std::string hint = hint_nearest(head.text, words_of(view_table()));
  if (hint.empty()) {
    for (const KeywordInfo& item : view_table()) hint += fmt::format("{}`{}`", hint.empty() ? "" : ", ", item.word);
    hint = "items are " + hint;
  }
  cursor.fail(Kind::kUnknownStatement, head.range, fmt::format("no item of a `view` begins with {}", describe(head)),
              hint);
}

template <std::size_t kIndex>
StatementNode read_node(SyntaxReader& reader) {
  StatementNode node(std::in_place_index<kIndex>);
  syntax(reader, std::get<kIndex>(node));
  return node;
}

template <std::size_t... kIndices>
constexpr auto readers(std::index_sequence<kIndices...>) {
  return std::array{&read_node<kIndices>...};
}

}  // namespace

bool begins_block(const Token& head) {
  return head.is_name("for") || head.is_name("if") || head.is_name("view") || head.is_name("component");
}

std::optional<StatementNode> parse_statement(std::span<const Token> tokens, LawForms laws, diag::Sink& sink,
                                             Inside inside) {
  constexpr auto kReaders = readers(std::make_index_sequence<std::size(kKeywordOfNode)>());
  Cursor cursor(tokens, sink, laws);
  const Token head = cursor.take();
  const auto* keyword = std::ranges::find(kKeywordOfNode, canonical_word(head.text));
  const bool is_keyword = head.kind == TokenKind::kName && keyword != std::end(kKeywordOfNode);
  if (inside == Inside::kView && !(is_keyword && may_stand_in_view(head))) {
    fail_at_item(cursor, head);
    return std::nullopt;
  }
  if (!is_keyword || (inside == Inside::kModel && find_view_item(head.text) != nullptr)) {
    fail_at_head(cursor, head);
    return std::nullopt;
  }
  const KeywordInfo* info = inside == Inside::kView ? find_view_item(head.text) : find_statement(head.text);
  if (info != nullptr) cursor.set_form(info->syntax);
  SyntaxReader reader(cursor);
  StatementNode node = kReaders[static_cast<std::size_t>(keyword - kKeywordOfNode)](reader);
  if (cursor.is_faulty()) return std::nullopt;
  return node;
}

}  // namespace vinculum::lang
