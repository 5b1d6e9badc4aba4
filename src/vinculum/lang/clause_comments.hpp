#pragma once

#include <span>

#include "vinculum/lang/ast.hpp"
#include "vinculum/lang/token.hpp"

namespace vinculum::lang {

/// Assigns the comments on further lines of a statement: to the clause that they follow or precede, also in the
/// branches of choices, and otherwise to the statement.
void place_comments(std::span<const Comment> comments, Statement& statement);

}  // namespace vinculum::lang
