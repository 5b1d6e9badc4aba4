#pragma once

#include <span>

#include "vinculum/lang/ast.hpp"
#include "vinculum/lang/token.hpp"

namespace vinculum::lang {

/// Gives the comments on further lines of a statement to the clauses that they stand behind or over, in the branches of
/// choices too, and the others to the statement.
void place_comments(std::span<const Comment> comments, Statement& statement);

}  // namespace vinculum::lang
