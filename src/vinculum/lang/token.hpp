#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/diag/source.hpp"

namespace vinculum::lang {

enum class TokenKind : std::uint8_t {
  kName,
  kNumber,
  kString,  ///< text without its quotes
  kPrimes,  ///< a run of `'`
  kSymbol,  ///< operator or punctuation, identified by its text; `±` and `−` are normalized to "±" and "-"
  kFault,   ///< characters for which the lexer has already reported an error
  kEnd,     ///< after the last token of a statement; its range is empty
};

/// A token; it refers to the source text, which must outlive it.
struct Token {
  TokenKind kind = TokenKind::kEnd;
  diag::SourceRange range;
  std::string_view text;
  double value = 0.0;  ///< value of a number
  int line = 1;
  int indent = 0;  ///< columns before the first token of its line; a tab advances to the next multiple of 8
  bool is_first_on_line = false;
  bool has_space_before = false;  ///< white space, a comment or the beginning of the line precedes it

  [[nodiscard]] bool is_symbol(std::string_view symbol) const { return kind == TokenKind::kSymbol && text == symbol; }
  [[nodiscard]] bool is_name(std::string_view name) const { return kind == TokenKind::kName && text == name; }
};

/// A comment including its `#`, without trailing white space.
struct Comment {
  std::string_view text;
  std::uint32_t begin = 0;
  int line = 1;
  int indent = 0;
  bool is_whole_line = false;
};

}  // namespace vinculum::lang
