#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "vinculum/lang/lexer.hpp"

namespace vinculum::lang {

/// The tokens of one statement, its clause lines included, and the comments that belong to it.
struct StatementTokens {
  std::span<const Token> tokens;  ///< not empty
  bool blank_line_before = false;
  std::vector<std::string> comments_before;  ///< as in Statement (ast.hpp)
  std::string comment_behind;
  std::vector<Comment> comments_inside;      ///< on its further lines or under them
};

struct Layout {
  std::vector<StatementTokens> statements;
  std::vector<std::string> comments_at_end;  ///< an empty one is a blank line
};

/// Cuts a text into statements (GRAMMAR.md, "Layout"). A statement ends where a line ends, unless a bracket is open, an
/// operator or a comma ends the line, or the next line is indented deeper than the statement's first. A line that
/// begins with the keyword of a statement begins one whatever came before: so an open bracket costs one statement, not
/// the file.
/// \param text  must outlive the result, which views into its tokens.  \cost O(tokens)
[[nodiscard]] Layout lay_out(const LexedText& text);

}  // namespace vinculum::lang
