#pragma once

#include <optional>
#include <span>

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/lang/ast.hpp"
#include "vinculum/lang/law_form.hpp"
#include "vinculum/lang/token.hpp"

namespace vinculum::lang {

enum class Inside { kModel, kView };  ///< the place where the statement is written

/// Parses one statement with its clauses, or the head of a block. Returns nothing after an error, which has been
/// reported.
/// \param tokens  not empty, from `lay_out`. For a block the tokens up to its `{`, or all tokens if it has no `{`.
[[nodiscard]] std::optional<StatementNode> parse_statement(std::span<const Token> tokens, LawForms laws,
                                                           diag::Sink& sink, Inside inside = Inside::kModel);

/// Whether a statement with this first token contains other statements: `for`, `if`, `view` or `component`.
[[nodiscard]] bool begins_block(const Token& head);

/// Adds the names that a faulty statement may have declared to `file.names_at_fault`. These are all words of the
/// statement if it is a block or begins with no word. For an `include`, sets `file.names_lost_from`. A component
/// declares only its own name. A `use … as x` declares only names `x.name`, so `x` is added. For an indexed family its
/// base name is added.
void note_names_at_fault(std::span<const Token> tokens, ModelFile& file);

}  // namespace vinculum::lang
