#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "vinculum/lang/lexer.hpp"

namespace vinculum::lang {

/// The tokens of one statement, including its clause lines, and its comments.
struct StatementTokens {
  std::span<const Token> tokens;  ///< not empty
  bool blank_line_before = false;
  std::vector<std::string> comments_before;  ///< as in lang::Statement (ast.hpp)
  std::string comment_behind;
  std::vector<Comment> comments_inside;  ///< comments on the further lines of the statement, or directly below it
};

struct Layout {
  std::vector<StatementTokens> statements;
  std::vector<std::string> comments_at_end;  ///< an empty text is a blank line
};

/// Pairs of `{` and `}`. If a text has too many opening braces, a `}` at the beginning of a line closes an open brace
/// whose line has the same indent, if there is one. Braces that were opened after that brace then count as never
/// closed.
class Braces {
 public:
  /// \param all  must outlive this object.  \cost O(tokens)
  explicit Braces(std::span<const Token> all);

  /// \param open  one of the given tokens.  \returns null if it is not a `{` or is never closed
  [[nodiscard]] const Token* closing(const Token& open) const {
    return closing_[static_cast<std::size_t>(&open - all_.data())];
  }

 private:
  std::span<const Token> all_;
  std::vector<const Token*> closing_;
};

/// Divides a text, or the content of a block, into statements (GRAMMAR.md, "Layout"). A statement ends at the end of a
/// line, unless a bracket is open, the line ends in an operator or a comma, or the next line is indented deeper than
/// the first line of the statement. A line that begins with the keyword of a statement always begins a new statement,
/// so a missing closing bracket affects one statement only. A block, including its braces, is one statement.
/// \param tokens  a part of the tokens given to `braces`; they must outlive the result, which refers to them
/// \param opened_on  the line of the block's `{`, or 0 for a whole text; comments may precede the first token.
/// \cost O(tokens)
[[nodiscard]] Layout lay_out(std::span<const Token> tokens, std::span<const Comment> comments, const Braces& braces,
                             int opened_on = 0);

}  // namespace vinculum::lang
