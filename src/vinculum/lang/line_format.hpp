#pragma once

#include <string>

#include "vinculum/lang/ast.hpp"

namespace vinculum::lang {

/// A statement's own line in canonical spelling, without its indent, with the marks of expression_format.hpp where it
/// may be broken: of a constraint or a joint without its clauses, of a block up to its `{`, so that of an `else if`
/// too.
[[nodiscard]] std::string head_line(const StatementNode& statement);

/// A clause under a constraint or a joint, likewise.
[[nodiscard]] std::string clause_line(const Clause& clause);

}  // namespace vinculum::lang
