#pragma once

#include <vector>

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/lang/token.hpp"

namespace vinculum::lang {

struct LexedText {
  std::vector<Token> tokens;      ///< without a kEnd
  std::vector<Comment> comments;  ///< in the order of their places
};

/// Splits one file of a text into tokens; their lines count from its own first. What is no token is reported once,
/// neighbours together, and stands as kFault. Never fails on any bytes.  \cost O(length)
[[nodiscard]] LexedText lex(const diag::SourceText& source, diag::SourceRange part, diag::Sink& sink);

}  // namespace vinculum::lang
