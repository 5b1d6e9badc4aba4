#pragma once

#include <optional>
#include <span>

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/lang/ast.hpp"
#include "vinculum/lang/law_form.hpp"
#include "vinculum/lang/token.hpp"

namespace vinculum::lang {

enum class Inside { kModel, kView };  ///< where a statement stands

/// One statement with its clauses, of a block its head alone, or nothing after an error, which is in the sink.
/// \param tokens  not empty, as cut by `lay_out`; of a block up to its `{`, or all where there is none.
[[nodiscard]] std::optional<StatementNode> parse_statement(std::span<const Token> tokens, LawForms laws,
                                                           diag::Sink& sink, Inside inside = Inside::kModel);

/// Whether a statement with this first token is `for`, `if`, `view` or `component`, which holds others.
[[nodiscard]] bool begins_block(const Token& head);

/// The names that a statement at fault may declare are added to `file.names_at_fault`: all its words where it is a
/// block or begins with no word. Behind an `include`, `file.names_lost_from` is set. A component declares its own name
/// only, its use only `x.name`, which `x` stands for. The base stands for all of an indexed family.
void note_names_at_fault(std::span<const Token> tokens, ModelFile& file);

}  // namespace vinculum::lang
