#pragma once

#include <vector>

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/lang/token.hpp"

namespace vinculum::lang {

struct LexedText {
  std::vector<Token> tokens;      ///< without a kEnd token
  std::vector<Comment> comments;  ///< in order
};

/// Splits one file of a text into tokens; line numbers count from the beginning of that file. Characters that form no
/// token are reported; adjacent ones are reported together and become one kFault token. Accepts any bytes.  \cost
/// O(length)
[[nodiscard]] LexedText lex(const diag::SourceText& source, diag::SourceRange part, diag::Sink& sink);

}  // namespace vinculum::lang
