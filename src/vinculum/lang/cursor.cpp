#include "vinculum/lang/cursor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/unit.hpp"
#include "vinculum/diag/utf8.hpp"
#include "vinculum/lang/foreign_words.hpp"
#include "vinculum/lang/keywords.hpp"

namespace vinculum::lang {
namespace {

constexpr std::size_t kLongestShown = 40;  // bytes of a token that a message shows

std::string shorten(std::string_view text) {
  if (text.size() <= kLongestShown) return std::string(text);
  std::size_t end = 0;
  while (end < kLongestShown) end += diag::read_character(text, end).length;
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace

std::string describe(const Token& token) {
  switch (token.kind) {
    case TokenKind::kEnd: return "the end of the statement";
    case TokenKind::kString: return fmt::format("the string \"{}\"", shorten(token.text));
    default: return fmt::format("`{}`", shorten(token.text));
  }
}

Cursor::Cursor(std::span<const Token> tokens, diag::Sink& sink, LawForms laws)
    : tokens_(tokens), laws_(laws), sink_(sink) {
  if (tokens.empty()) return;
  const std::uint32_t end = tokens.back().range.end;
  end_.range = {end, end};
  end_.has_space_before = true;
}

const Token& Cursor::peek(std::size_t ahead) const {
  return ahead < tokens_.size() - std::min(at_, tokens_.size()) ? tokens_[at_ + ahead] : end_;
}

bool Cursor::is_at_choice() const {
  const Token& head = peek();
  if (!head.is_name("if") || !head.is_first_on_line) return false;
  for (std::size_t ahead = 1;; ++ahead) {
    const Token& token = peek(ahead);
    if (token.is_symbol("{")) return true;
    if (token.kind == TokenKind::kEnd || (token.is_first_on_line && token.indent <= head.indent)) return false;
  }
}

Token Cursor::take() {
  const Token token = peek();
  if (at_ < tokens_.size()) ++at_;
  return token;
}

bool Cursor::take_if(std::string_view symbol) {
  if (!is_at(symbol)) return false;
  ++at_;
  return true;
}

bool Cursor::is_at_words(std::string_view words) const {
  for (std::size_t ahead = 0;; ++ahead) {
    const std::size_t blank = words.find(' ');
    if (!peek(ahead).is_name(words.substr(0, blank))) return false;
    if (blank == std::string_view::npos) return true;
    words.remove_prefix(blank + 1);
  }
}

bool Cursor::take_if_word(std::string_view word) {
  if (!is_at_word(word)) return false;
  ++at_;
  return true;
}

const Token& Cursor::last_taken() const {
  if (tokens_.empty()) return end_;
  return at_ == 0 ? tokens_.front() : tokens_[at_ - 1];
}

diag::SourceRange Cursor::range_from(const Token& begin) const {
  return {begin.range.begin, std::max(begin.range.end, last_taken().range.end)};
}

void Cursor::leave_out(diag::Diagnostic diagnostic) {
  if (!is_mute_) sink_.report(std::move(diagnostic));
}

void Cursor::complain(diag::Diagnostic diagnostic) {
  if (is_mute_) return;
  is_faulty_ = true;
  sink_.report(std::move(diagnostic));
}

void Cursor::fail(diag::Diagnostic diagnostic) {
  complain(std::move(diagnostic));
  is_faulty_ = true;
  is_mute_ = true;
  at_ = tokens_.size();
}

void Cursor::fail(diag::Kind kind, diag::SourceRange range, std::string message, std::string hint) {
  fail(diag::error(kind, range, std::move(message), std::move(hint)));
}

void Cursor::fail_expected(std::string_view what, std::string hint) {
  const Token& found = peek();
  if (found.kind == TokenKind::kFault) is_mute_ = true;  // the lexer has already reported this token
  if (fail_at_decimal_comma()) return;
  if (found.is_symbol("{") || found.is_symbol("}")) {
    return fail(diag::Kind::kUnexpectedToken, found.range, fmt::format("expected {}, found {}", what, describe(found)),
                hint.empty() ? "only `for`, `if`, `view`, `component` and `event` have braces" : std::move(hint));
  }
  if (found.is_symbol(";") && hint.empty()) hint = "one statement a line, without semicolons";
  if (hint.empty()) hint = hint_at_symbol();
  if (hint.empty()) hint = hint_of_form(what);
  fail(diag::Kind::kUnexpectedToken, found.range, fmt::format("expected {}, found {}", what, describe(found)),
       std::move(hint));
}

// Reports a decimal comma, as in `9,81`, if the cursor is at the comma or after it.
bool Cursor::fail_at_decimal_comma() {
  const auto is_joint = [&](std::size_t comma) {
    return comma > 0 && comma + 1 < tokens_.size() && tokens_[comma].is_symbol(",") &&
           tokens_[comma - 1].kind == TokenKind::kNumber && tokens_[comma + 1].kind == TokenKind::kNumber &&
           !tokens_[comma].has_space_before && !tokens_[comma + 1].has_space_before;
  };
  const std::size_t comma = is_joint(at_) ? at_ : at_ - 1;
  if (at_ == 0 || !is_joint(comma)) return false;
  const Token &whole = tokens_[comma - 1], &part = tokens_[comma + 1];
  fail(diag::Kind::kBadNumber, {whole.range.begin, part.range.end},
       fmt::format("`{},{}` is not a number", whole.text, part.text),
       fmt::format("the decimal sign is a point: `{}.{}`", whole.text, part.text));
  return true;
}

// Hints for symbols that other languages use.
std::string Cursor::hint_at_symbol() const {
  const Token &found = peek(), &before = last_taken(), &next = peek(1);
  const bool is_behind = at_ > 0 && !found.has_space_before;
  if (found.is_symbol("*") && before.is_symbol("*") && is_behind) return "powers are written with `^`: `x^2`";
  if (found.is_symbol("|") && next.is_symbol("|") && !next.has_space_before) return "write `or`";
  if (found.is_symbol(":") && next.is_symbol("=")) return "write `=` alone";
  if (found.is_symbol("=") && before.kind == TokenKind::kName) {
    const bool is_whole = next.kind == TokenKind::kName || next.kind == TokenKind::kNumber;
    return fmt::format("leave the `=` out: `{} {}`", before.text, is_whole ? next.text : "…");
  }
  return {};
}

// The form of the statement as a hint. Empty within an expression that has already begun, where the form would not
// help.
std::string Cursor::hint_of_form(std::string_view expected) const {
  if (form_.empty()) return {};
  const Token& before = last_taken();
  const bool is_operand_wanted = expected == "an expression";
  const bool begins_part = before.kind == TokenKind::kName || before.is_symbol("=") || before.is_symbol(":");
  if (is_operand_wanted ? !begins_part : expected.starts_with("an operator") || expected.starts_with("a name after"))
    return {};
  return fmt::format("the form is `{}`", form_);
}

std::string Cursor::text(std::size_t begin, std::size_t end) const {
  std::string text;
  for (std::size_t i = begin; i < std::min(end, tokens_.size()); ++i) {
    const Token& token = tokens_[i];
    if (i > begin && token.has_space_before) text += ' ';
    text += token.kind == TokenKind::kString ? fmt::format("\"{}\"", token.text) : std::string(token.text);
  }
  return text;
}

std::string Cursor::text_since(const Token& first) const {
  std::size_t begin = std::min(at_, tokens_.size());
  while (begin > 0 && tokens_[begin - 1].range.begin >= first.range.begin) --begin;
  return text(begin, at_);
}

// Hint for a unit without square brackets: `1 kg`, `1 (kg)`, `1 {kg}`, `10 seconds`.
std::string Cursor::hint_at_unit() const {
  if (last_taken().kind != TokenKind::kNumber) return {};
  const bool is_bracketed = peek().is_symbol("(") || peek().is_symbol("{");
  const Token& name = peek(is_bracketed ? 1 : 0);
  if (name.kind != TokenKind::kName) return {};
  const std::string unit = find_unit(name.text) ? std::string(name.text) : unit_of_word(name.text);
  if (unit.empty()) return {};
  std::string whole = unit;  // of `20 N/m`
  const auto follows = [&](std::size_t at) {
    // A `*` may also be a product with another quantity: `2 N*L`.
    const bool is_operator = (peek(at).is_symbol("/") || peek(at).is_symbol("^")) && !peek(at + 2).is_symbol(".");
    const Token& next = peek(at + 1);
    return is_operator && (next.kind == TokenKind::kNumber || (next.kind == TokenKind::kName && find_unit(next.text)));
  };
  for (std::size_t at = 1; !is_bracketed && follows(at); at += 2) whole += text_ahead(at, at + 2);
  return fmt::format("a unit is written in square brackets: `{} [{}]`", last_taken().text, whole);
}

// Reports a closing bracket that has no opening bracket.
bool Cursor::fail_at_stray_bracket() {
  const Token& found = peek();
  const bool is_closing = found.is_symbol(")") || found.is_symbol("]") || found.is_symbol("}");
  if (!is_closing) return false;
  const std::string_view opening = found.text == ")" ? "(" : found.text == "]" ? "[" : "{";
  fail(diag::Kind::kUnclosedBracket, found.range, fmt::format("`{}` closes no bracket", found.text),
       fmt::format("remove it, or open a `{}` before", opening));
  return true;
}

// Hint for an option under a wrong name, such as `dt 0.1` for `step 0.1`, or for an unknown word with a value.
std::string Cursor::hint_of_option(const std::vector<std::string>& words) const {
  const Token &found = peek(), &next = peek(1);
  if (words.empty() || found.kind != TokenKind::kName || is_connective(found.text)) return {};
  const std::string meant = option_meant(found.text);
  if (!meant.empty() && std::ranges::find(words, meant) != words.end()) return fmt::format("did you mean `{}`?", meant);
  const bool has_value = next.kind == TokenKind::kNumber ||
                         (next.kind == TokenKind::kName && !is_connective(next.text)) ||
                         (next.is_symbol("(") && next.has_space_before) || next.kind == TokenKind::kString;
  return has_value && find_statement(found.text) == nullptr ? hint_of_form("an option") : std::string();
}

// Hint for two adjacent operands, as in `2 x` and `sin x`.
std::string Cursor::hint_juxtaposed(const std::vector<std::string>& words) const {
  if (std::string hint = hint_at_unit(); !hint.empty()) return hint;
  if (std::string hint = hint_of_option(words); !hint.empty()) return hint;
  const Token& found = peek();
  const bool begins_operand =
      found.kind == TokenKind::kName || found.kind == TokenKind::kNumber || found.is_symbol("(");
  if (!begins_operand || at_ != expression_end_ || found.is_first_on_line) return {};
  if (found.kind == TokenKind::kName) {
    if (found.text == "along" && std::ranges::find(words, "along") != words.end())
      return "directions are separated by commas: `along N.x, N.y`";
    if (found.text == "along") return "a direction is a factor of a vector: `3*N.x`";
    const Token& next = peek(peek(1).kind == TokenKind::kPrimes ? 2 : 1);
    if (next.is_symbol("=") || next.is_symbol("~")) return "items are separated by commas";
    if (find_statement(found.text) != nullptr) return "one statement a line";
    if (last_taken().kind == TokenKind::kName) {  // `kinetic energy`
      std::string hint = hint_for_foreign_name(fmt::format("{}_{}", last_taken().text, found.text));
      if (!hint.empty()) return hint;
    }
    if (is_connective(found.text) || find_clause(found.text) != nullptr) return {};
  }
  if (last_taken().kind == TokenKind::kNumber && last_taken().value == 0.0) return {};
  return last_taken().kind == TokenKind::kName
             ? "multiply with `*`; the arguments of a function are written in brackets"
             : "multiply with `*`";
}

void Cursor::expect(std::string_view symbol, std::string hint) {
  if (take_if(symbol) || fail_at_stray_bracket()) return;
  if (hint.empty() && symbol == "=" && is_at(":") && !peek(1).is_symbol("=")) hint = "write `=` here";
  if (hint.empty() && symbol == "=" && is_at("==")) hint = "`==` compares; an equation is written with `=`";
  if (hint.empty() && symbol == "=") hint = hint_juxtaposed();
  fail_expected(fmt::format("`{}`", symbol), std::move(hint));
}

void Cursor::expect_word(std::string_view word) {
  if (take_if_word(word) || fail_at_stray_bracket()) return;
  const std::string candidates[] = {std::string(word)};
  std::string hint = peek().kind == TokenKind::kName ? hint_nearest(peek().text, candidates) : std::string();
  if (hint.empty() && option_meant(peek().text) == word) hint = fmt::format("did you mean `{}`?", word);
  fail_expected(fmt::format("`{}`", word), std::move(hint));
}

std::string Cursor::hint_nearest_phrase(const std::vector<std::string>& words) const {
  if (peek().kind != TokenKind::kName) return {};
  const std::string first(peek().text);
  // For an option of two words, one of the two may be misspelled: `max stp` and `maxx step` mean `max step`.
  std::vector<std::string> phrases;
  for (const std::string& word : words) {
    const std::size_t space = word.find(' ');
    if (space == word.npos) continue;
    phrases.push_back(word);
    if (word.substr(0, space) == first) return fmt::format("did you mean `{}`?", word);
  }
  std::string hint;
  if (peek(1).kind == TokenKind::kName) hint = hint_nearest(fmt::format("{} {}", first, peek(1).text), phrases);
  return hint.empty() ? hint_nearest(first, words) : hint;
}

void Cursor::expect_end(std::initializer_list<std::string_view> words) {
  if (is_at_end() || fail_at_stray_bracket()) return;
  std::string what;
  for (const std::string_view word : words) what += fmt::format("{}`{}`", what.empty() ? "" : ", ", word);
  what += what.empty() ? "the end of the statement" : " or the end of the statement";
  const std::vector<std::string> options(words.begin(), words.end());
  std::string hint = hint_nearest_phrase(options);
  if (hint.empty() && is_at("=")) hint = "`=` only states; compare with `==`";
  if (hint.empty()) hint = hint_juxtaposed(options);
  fail_expected(what, std::move(hint));
}

void Cursor::expect_closing(const Token& open, std::string_view closing) {
  if (take_if(closing)) return;
  const Token& found = peek();
  if (found.kind == TokenKind::kFault) return fail_expected(closing);
  diag::Diagnostic diagnostic;
  const bool is_bracket = found.is_symbol(")") || found.is_symbol("]") || found.is_symbol("}");
  if (found.kind == TokenKind::kEnd || is_bracket) {
    diagnostic.kind = diag::Kind::kUnclosedBracket;
    diagnostic.range = open.range;
    diagnostic.message = open.text == closing ? fmt::format("`{}` is not closed", open.text)
                                              : fmt::format("`{}` is not closed by `{}`", open.text, closing);
    diagnostic.labels.push_back(
        {found.range, fmt::format("{} is here", is_bracket ? describe(found) : "the end of the statement")});
    diagnostic.hint = fmt::format("add a `{}`", closing);
    if (is_bracket)
      diagnostic.hint = fmt::format("brackets close in the order in which they open: write `{}` first", closing);
  } else {
    diagnostic.kind = diag::Kind::kUnexpectedToken;
    diagnostic.range = found.range;
    diagnostic.message = fmt::format("expected an operator or `{}`, found {}", closing, describe(found));
    diagnostic.labels.push_back({open.range, fmt::format("`{}` is open since here", open.text)});
    if (closing == ")" && found.is_symbol(","))
      diagnostic.hint = "a place or a vector is a sum, as `O + a*N.x + b*N.y`; lists are written in `[ ]`";
  }
  fail(std::move(diagnostic));
}

}  // namespace vinculum::lang
