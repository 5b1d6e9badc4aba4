#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/diag/hints.hpp"
#include "vinculum/lang/law_form.hpp"
#include "vinculum/lang/token.hpp"

namespace vinculum::lang {

/// A position among the tokens of one statement, and the state of error reporting for that statement.
///
/// After `fail` the cursor is after the last token, and all further `expect…` functions fail without a report. So the
/// functions of the parser need no checks of their own, and each root cause gives one diagnostic.
class Cursor {
 public:
  /// \param laws  laws that a clause may name.
  Cursor(std::span<const Token> tokens, diag::Sink& sink, LawForms laws = {});

  /// The token `ahead` positions after the current token; a kEnd token if that is after the last.
  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const;
  [[nodiscard]] LawForms laws() const { return laws_; }
  [[nodiscard]] bool is_at_end() const { return at_ >= tokens_.size(); }
  [[nodiscard]] bool is_at(std::string_view symbol) const { return peek().is_symbol(symbol); }
  [[nodiscard]] bool is_at_word(std::string_view word) const { return peek().is_name(word); }
  /// Whether the next tokens are these words, one or several separated by a blank.
  [[nodiscard]] bool is_at_words(std::string_view words) const;
  /// Whether the cursor is at a choice of clauses: an `if` that begins a line, followed by a `{` in the same line or in
  /// deeper indented lines.
  [[nodiscard]] bool is_at_choice() const;
  Token take();
  bool take_if(std::string_view symbol);
  bool take_if_word(std::string_view word);

  /// Range from the token `begin` to the last token taken.
  [[nodiscard]] diag::SourceRange range_from(const Token& begin) const;
  /// The last token taken; the first token if none was taken.
  [[nodiscard]] const Token& last_taken() const;

  /// Sets the form of the current statement or clause, such as `spring P Q stiffness k length l [damping c]`. It is the
  /// hint of an error for which there is no more specific hint.
  void set_form(std::string_view form) { form_ = form; }
  [[nodiscard]] std::string_view form() const { return form_; }
  /// Text of the tokens in [from, to), counted from the current token, on one line.
  [[nodiscard]] std::string text_ahead(std::size_t from, std::size_t to) const { return text(at_ + from, at_ + to); }
  /// Text from `first`, a token taken earlier, up to the current token, which is excluded.
  [[nodiscard]] std::string text_since(const Token& first) const;

  /// Records that an expression ends here. If an operand follows directly, the report says that an operator is missing.
  void note_expression_end() { expression_end_ = at_; }

  /// Whether the statement will be left out of the result.
  [[nodiscard]] bool is_faulty() const { return is_faulty_; }
  /// Reports an error in a part that is left out; the rest of the statement is kept.
  void leave_out(diag::Diagnostic diagnostic);
  /// Reports an error and continues; at its end the statement is left out.
  void complain(diag::Diagnostic diagnostic);
  /// Reports an error and abandons the statement.
  void fail(diag::Diagnostic diagnostic);
  void fail(diag::Kind kind, diag::SourceRange range, std::string message, std::string hint = {});
  /// Abandons the statement because `what` was expected and the current token is another one.
  void fail_expected(std::string_view what, std::string hint = {});

  /// Takes the symbol, or fails: "expected `=` …".
  void expect(std::string_view symbol, std::string hint = {});
  void expect_word(std::string_view word);
  /// Fails unless the statement ends here; the message lists the `words` that would also be allowed.
  void expect_end(std::initializer_list<std::string_view> words = {});
  /// Takes the closing symbol for `open`, or fails with a message that shows both.
  void expect_closing(const Token& open, std::string_view closing);

 private:
  [[nodiscard]] std::string text(std::size_t begin, std::size_t end) const;
  bool fail_at_stray_bracket();
  bool fail_at_decimal_comma();
  [[nodiscard]] std::string hint_at_symbol() const;
  [[nodiscard]] std::string hint_of_form(std::string_view expected) const;
  [[nodiscard]] std::string hint_at_unit() const;
  /// \param words  words of the options that may follow.
  [[nodiscard]] std::string hint_juxtaposed(const std::vector<std::string>& words = {}) const;
  [[nodiscard]] std::string hint_of_option(const std::vector<std::string>& words) const;
  /// The phrase in `words` that is nearest to the current name; phrases may have two words (`max step`).
  [[nodiscard]] std::string hint_nearest_phrase(const std::vector<std::string>& words) const;

  std::span<const Token> tokens_;
  LawForms laws_;
  diag::Sink& sink_;
  std::size_t at_ = 0;
  std::size_t expression_end_ = static_cast<std::size_t>(-1);  // no expression has ended yet
  std::string_view form_;
  Token end_;
  bool is_faulty_ = false;
  bool is_mute_ = false;
};

/// Description of a token in messages: "`x`", "the string \"a\"", "the end of the statement".
[[nodiscard]] std::string describe(const Token& token);

using diag::hint_nearest;

}  // namespace vinculum::lang
