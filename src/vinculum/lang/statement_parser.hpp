#pragma once

#include <optional>
#include <span>

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/lang/ast.hpp"
#include "vinculum/lang/token.hpp"

namespace vinculum::lang {

/// One statement with its clauses, or nothing after an error, which is in the sink.
/// \param tokens  not empty, as cut by `lay_out`.
[[nodiscard]] std::optional<StatementNode> parse_statement(std::span<const Token> tokens, diag::Sink& sink);

/// The names that a statement at fault may declare are added to `file.names_at_fault`: all its words where it is a block or
/// begins with no word. Behind an `include`, `file.names_lost_from` is set. Components and their use declare only `x.name`.
void note_names_at_fault(std::span<const Token> tokens, ModelFile& file);

}  // namespace vinculum::lang
