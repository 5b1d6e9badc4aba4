#pragma once

#include <string>

#include "vinculum/lang/ast.hpp"

namespace vinculum::lang {

/// The first line of a statement in canonical spelling, without indent and with marks for possible line breaks
/// (expression_format.hpp): of a constraint or joint the part without clauses, of a block the part up to `{` (also for
/// an `else if`).
[[nodiscard]] std::string head_line(const StatementNode& statement);

/// The line of a clause of a constraint or a joint, in the same form.
[[nodiscard]] std::string clause_line(const Clause& clause);

}  // namespace vinculum::lang
