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

/// A place among the tokens of one statement, and what was reported about it.
///
/// After `fail` it stands behind the last token and is mute: whatever the grammar still wants is not found and not
/// reported, so that the functions of the parser need no checks of their own and one root cause is one diagnostic.
class Cursor {
 public:
  /// \param laws  that a clause may name.
  Cursor(std::span<const Token> tokens, diag::Sink& sink, LawForms laws = {});

  /// The token `ahead` of the present one; a kEnd token behind the last.
  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const;
  [[nodiscard]] LawForms laws() const { return laws_; }
  [[nodiscard]] bool is_at_end() const { return at_ >= tokens_.size(); }
  [[nodiscard]] bool is_at(std::string_view symbol) const { return peek().is_symbol(symbol); }
  [[nodiscard]] bool is_at_word(std::string_view word) const { return peek().is_name(word); }
  /// At these words, one or several with a blank between them.
  [[nodiscard]] bool is_at_words(std::string_view words) const;
  /// At an `if` that begins a line and is followed by a `{` there or on deeper lines: a choice of clauses.
  [[nodiscard]] bool is_at_choice() const;
  Token take();
  bool take_if(std::string_view symbol);
  bool take_if_word(std::string_view word);

  /// From the token `begin` to the one taken last.
  [[nodiscard]] diag::SourceRange range_from(const Token& begin) const;
  /// The token taken last; the first one when none was taken.
  [[nodiscard]] const Token& last_taken() const;

  /// The form of the statement or clause in work, `spring P Q stiffness k length l [damping c]`: the hint where no
  /// other fits.
  void set_form(std::string_view form) { form_ = form; }
  [[nodiscard]] std::string_view form() const { return form_; }
  /// The text of the tokens from `from` to `to` (excluded) ahead of the present one, on one line.
  [[nodiscard]] std::string text_ahead(std::size_t from, std::size_t to) const { return text(at_ + from, at_ + to); }
  /// The same from a token taken before, `first`, up to the present one.
  [[nodiscard]] std::string text_since(const Token& first) const;

  /// Remembers that an expression ends here, so that an operand right behind it can be told to lack an operator.
  void note_expression_end() { expression_end_ = at_; }

  /// Whether the statement is to be left out.
  [[nodiscard]] bool is_faulty() const { return is_faulty_; }
  /// Reports a part that is left out; the rest of the statement stands.
  void leave_out(diag::Diagnostic diagnostic);
  /// Reports and goes on; the statement is left out in the end.
  void complain(diag::Diagnostic diagnostic);
  /// Reports and gives the statement up.
  void fail(diag::Diagnostic diagnostic);
  void fail(diag::Kind kind, diag::SourceRange range, std::string message, std::string hint = {});
  /// Gives the statement up at the present token, which is not `what`.
  void fail_expected(std::string_view what, std::string hint = {});

  /// The symbol, or failure: "expected `=` …".
  void expect(std::string_view symbol, std::string hint = {});
  void expect_word(std::string_view word);
  /// The end of the statement, or a failure that lists the `words` which could stand here too.
  void expect_end(std::initializer_list<std::string_view> words = {});
  /// The closing symbol of `open`, or a failure that shows both.
  void expect_closing(const Token& open, std::string_view closing);

 private:
  [[nodiscard]] std::string text(std::size_t begin, std::size_t end) const;
  bool fail_at_stray_bracket();
  bool fail_at_decimal_comma();
  [[nodiscard]] std::string hint_at_symbol() const;
  [[nodiscard]] std::string hint_of_form(std::string_view expected) const;
  [[nodiscard]] std::string hint_at_unit() const;
  /// \param words  of the options that may follow.
  [[nodiscard]] std::string hint_juxtaposed(const std::vector<std::string>& words = {}) const;
  [[nodiscard]] std::string hint_of_option(const std::vector<std::string>& words) const;
  /// What of `words`, some of them of two words (`max step`), was meant by the name that stands here.
  [[nodiscard]] std::string hint_nearest_phrase(const std::vector<std::string>& words) const;

  std::span<const Token> tokens_;
  LawForms laws_;
  diag::Sink& sink_;
  std::size_t at_ = 0;
  std::size_t expression_end_ = static_cast<std::size_t>(-1);  // none yet
  std::string_view form_;
  Token end_;
  bool is_faulty_ = false;
  bool is_mute_ = false;
};

/// A token for messages: "`x`", "the string \"a\"", "the end of the statement".
[[nodiscard]] std::string describe(const Token& token);

using diag::hint_nearest;

}  // namespace vinculum::lang
