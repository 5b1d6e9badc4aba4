#pragma once

#include <string>

#include "vinculum/lang/ast.hpp"

namespace vinculum::lang {

/// The first line of a statement in canonical spelling, without indent and with marks for possible line breaks
/// (expression_format.hpp). For a constraint or joint it contains no clauses. For a block, including an `else if`, it
/// ends before the `{`.
[[nodiscard]] std::string head_line(const StatementNode& statement);

/// Whether the actions of an event are written between braces, each on a line of its own.
[[nodiscard]] bool has_block(const EventStatement& event);

/// The line of a clause of a constraint or a joint, or of an action of an event, in the form of `head_line`.
[[nodiscard]] std::string clause_line(const Clause& clause);

}  // namespace vinculum::lang
