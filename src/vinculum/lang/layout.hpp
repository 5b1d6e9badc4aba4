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
  std::vector<Comment> comments_inside;  ///< on its further lines or under them
};

struct Layout {
  std::vector<StatementTokens> statements;
  std::vector<std::string> comments_at_end;  ///< an empty one is a blank line
};

/// Which `}` closes which `{`. Where a text has more of the opening ones, a `}` that begins a line closes the one whose
/// line is indented alike, if there is such: what was forgotten is then the `}` of those inside.
class Braces {
 public:
  /// \param all  must outlive this.  \cost O(tokens)
  explicit Braces(std::span<const Token> all);

  /// \param open  one of the tokens given.  \returns null for what is no `{` or is never closed
  [[nodiscard]] const Token* closing(const Token& open) const {
    return closing_[static_cast<std::size_t>(&open - all_.data())];
  }

 private:
  std::span<const Token> all_;
  std::vector<const Token*> closing_;
};

/// Cuts a text, or what stands in a block, into statements (GRAMMAR.md, "Layout"). A statement ends where a line ends,
/// unless a bracket is open, an operator or a comma ends the line, or the next line is indented deeper than the
/// statement's first. A line that begins with the keyword of a statement begins one whatever came before: so an open
/// bracket costs one statement, not the file. A block with its braces is one statement.
/// \param tokens  of those that `braces` was made of; must outlive the result, which views into them
/// \param opened_on  the line of the block's `{`, 0 for a whole text; comments may stand before it.  \cost O(tokens)
[[nodiscard]] Layout lay_out(std::span<const Token> tokens, std::span<const Comment> comments, const Braces& braces,
                             int opened_on = 0);

}  // namespace vinculum::lang
