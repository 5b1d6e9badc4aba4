#pragma once

#include <string>

#include "vinculum/lang/ast.hpp"

namespace vinculum::lang {

/// A statement's own line in canonical spelling, without its indent, with the marks of expression_format.hpp where it
/// may be broken: of a constraint or a joint without its clauses, of a block up to its `{`, so that of an `else if`
/// too.
[[nodiscard]] std::string head_line(const StatementNode& statement);

/// Whether the actions of an event are written between braces, each on a line of its own.
[[nodiscard]] bool has_block(const EventStatement& event);

/// A clause under a constraint or a joint, or an action of an event, likewise.
[[nodiscard]] std::string clause_line(const Clause& clause);

}  // namespace vinculum::lang
