#pragma once

#include <span>

#include "vinculum/lang/ast.hpp"
#include "vinculum/lang/token.hpp"

namespace vinculum::lang {

/// Assigns each comment on the further lines of a statement to the clause that it follows or precedes, including
/// clauses in the branches of choices. If there is no such clause, the comment belongs to the statement.
void place_comments(std::span<const Comment> comments, Statement& statement);

}  // namespace vinculum::lang
