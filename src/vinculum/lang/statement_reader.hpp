#pragma once

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

  /// NAME. Indexed names and members of components are reported: they are parts of the language still to come.
  Name name(std::string_view what);
  /// `word` NAME, if the word is there.
  std::optional<Name> optional_name(std::string_view word, std::string_view what);
  ExpressionPtr expression(ExpressionEnd end = ExpressionEnd::kPlain);
  /// expression { "," expression }
  std::vector<ExpressionPtr> expressions();
  /// `word` and its value, which may stand once; false where the word is not there.
  bool take_option(std::string_view word, ExpressionPtr& value);
  bool take_option(std::string_view word, std::optional<Name>& value, std::string_view what);
  /// `=` behind `left`, which may have swallowed a `==` that was meant.
  void expect_equals(const Expression& left);

  Cursor& cursor_;

 private:
  bool may_take_option(std::string_view word, bool is_given);
};

/// The rest of a statement behind its keyword.
[[nodiscard]] StatementNode parse_constraint(Cursor& cursor);
[[nodiscard]] StatementNode parse_expect(Cursor& cursor);

[[nodiscard]] std::vector<std::string> words_of(std::span<const KeywordInfo> table);
[[nodiscard]] diag::Diagnostic not_supported(SourceRange range, std::string_view what, std::string_view meaning);

}  // namespace vinculum::lang
