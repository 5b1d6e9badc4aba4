#pragma once

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/lang/ast.hpp"
#include "vinculum/lang/law_form.hpp"

namespace vinculum::lang {

/// Brackets, bars, signs, exponents, conditionals, parts of parts inside each other.
inline constexpr int kMaxNesting = 200;
inline constexpr int kMaxHeight = 1000;  ///< height of an expression's tree, so also the length of a plain sum
inline constexpr int kMaxBlocks = 100;   ///< `for`, `if`, `component` inside each other, an `else if` inside its `if`
inline constexpr int kMaxSyntaxErrors = 200;  ///< then one `kTooManyErrors`, and reading stops

/// Reads a whole model file. Goes on after every error at the next statement, so that all errors of a file are
/// reported in one run, one diagnostic for one root cause. Statements at fault are left out of the result.
/// Statements, clauses and functions of the language that this version does not have are reported as `kNotSupported`.
/// Never throws on any input, valid UTF-8 or not; nesting is bounded.  \cost O(length).
/// \param laws  that a clause may name; they outlive the call.
[[nodiscard]] ModelFile parse(const diag::SourceText& source, LawForms laws, diag::Sink& sink);
/// The same of an included file, `part` of the source; ranges are those of the whole source.
[[nodiscard]] ModelFile parse(const diag::SourceText& source, SourceRange part, LawForms laws, diag::Sink& sink);

/// An expression alone, as in `--set p = 2 [kg]`: reports into sink, null where it cannot be read.
[[nodiscard]] ExpressionPtr parse_expression(const diag::SourceText& source, diag::Sink& sink);

}  // namespace vinculum::lang
