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

/// What the statements of the grammar are made of, read at a cursor that their parser shares.
class StatementReader {
 protected:
  explicit StatementReader(Cursor& cursor) : cursor_(cursor) {}

  /// NAME alone: of a kind, a method, a model.
  Name word(std::string_view what);
  /// declared = NAME [ indices ]: what a statement declares, and nothing in a component's part.
  Name declared(std::string_view what);
  /// family = NAME [ ranges ]: what is declared for all indices at once.
  Name family(std::string_view what);
  /// reference = NAME { "." NAME | indices }, two indices never side by side.
  Name name(std::string_view what);
  ExpressionPtr expression(ExpressionEnd end = ExpressionEnd::kPlain);
  /// expression { "," expression }
  std::vector<ExpressionPtr> expressions();
  /// `word` and its value, which may stand once; false where the word is not there.
  bool take_option(std::string_view word, ExpressionPtr& value);
  bool take_option(std::string_view word, std::optional<Name>& value, std::string_view what);
  /// The word of an option that may stand once, if it is there.
  bool may_take_option(std::string_view word, bool is_given);
  /// `=` behind `left`, which may have swallowed a `==` that was meant.
  void expect_equals(const Expression& left);

  Cursor& cursor_;

 private:
  Name declared(std::string_view what, Ranges ranges);
};

[[nodiscard]] std::vector<std::string> words_of(std::span<const KeywordInfo> table);
[[nodiscard]] diag::Diagnostic not_supported(SourceRange range, std::string_view what, const KeywordInfo& info);

}  // namespace vinculum::lang
