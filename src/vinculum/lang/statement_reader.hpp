#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/lang/ast.hpp"
#include "vinculum/lang/cursor.hpp"
#include "vinculum/lang/expression_parser.hpp"
#include "vinculum/lang/keywords.hpp"

namespace vinculum::lang {

/// Reads the elements that most statements consist of, at a cursor that the parser shares.
class StatementReader {
 protected:
  explicit StatementReader(Cursor& cursor) : cursor_(cursor) {}

  /// NAME without indices: the name of a kind, of a method or of a model.
  Name word(std::string_view what);
  /// declared = NAME [ indices ]: a name that the statement declares. It has no `.`, because elements of components
  /// cannot be declared from outside.
  Name declared(std::string_view what);
  /// family = NAME [ ranges ]: a name declared for all indices at once.
  Name family(std::string_view what);
  /// reference = NAME { "." NAME | indices }, without two adjacent index brackets.
  Name name(std::string_view what);
  ExpressionPtr expression(ExpressionEnd end = ExpressionEnd::kPlain);
  /// expression { "," expression }
  std::vector<ExpressionPtr> expressions();
  /// Reads an option, `word` and its value, which may be given only once; false if the word does not follow.
  bool take_option(std::string_view word, ExpressionPtr& value);
  bool take_option(std::string_view word, std::optional<Name>& value, std::string_view what);
  /// Takes the word of an option if the word follows; reports an option that is given twice.
  bool may_take_option(std::string_view word, bool is_given);
  /// Takes the `=` after `left`. If the author wrote `==`, `left` has consumed it as a comparison; that is reported.
  void expect_equals(const Expression& left);

  Cursor& cursor_;

 private:
  Name declared(std::string_view what, Ranges ranges);
};

[[nodiscard]] std::vector<std::string> words_of(std::span<const KeywordInfo> table);
[[nodiscard]] diag::Diagnostic not_supported(SourceRange range, std::string_view what, const KeywordInfo& info);

}  // namespace vinculum::lang
