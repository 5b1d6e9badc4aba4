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

/// Reads the basic parts of statements at a cursor shared with the parser.
class StatementReader {
 protected:
  explicit StatementReader(Cursor& cursor) : cursor_(cursor) {}

  /// NAME without indices: a kind, a method, a model.
  Name word(std::string_view what);
  /// declared = NAME [ indices ]: the name declared by a statement; it cannot belong to a component's part.
  Name declared(std::string_view what);
  /// family = NAME [ ranges ]: a name declared for all indices at once.
  Name family(std::string_view what);
  /// reference = NAME { "." NAME | indices }, without two adjacent index brackets.
  Name name(std::string_view what);
  ExpressionPtr expression(ExpressionEnd end = ExpressionEnd::kPlain);
  /// expression { "," expression }
  std::vector<ExpressionPtr> expressions();
  /// Reads `word` and its value, which may occur once; false if the word is not there.
  bool take_option(std::string_view word, ExpressionPtr& value);
  bool take_option(std::string_view word, std::optional<Name>& value, std::string_view what);
  /// Takes the word of an option if it is there; reports an option given twice.
  bool may_take_option(std::string_view word, bool is_given);
  /// Takes the `=` after `left`. If the author wrote `==`, `left` has consumed it; that is reported.
  void expect_equals(const Expression& left);

  Cursor& cursor_;

 private:
  Name declared(std::string_view what, Ranges ranges);
};

[[nodiscard]] std::vector<std::string> words_of(std::span<const KeywordInfo> table);
[[nodiscard]] diag::Diagnostic not_supported(SourceRange range, std::string_view what, const KeywordInfo& info);

}  // namespace vinculum::lang
