#pragma once

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/lang/ast.hpp"
#include "vinculum/lang/law_form.hpp"

namespace vinculum::lang {

/// Nesting limit for brackets, bars, signs, exponents, conditionals and member access.
inline constexpr int kMaxNesting = 200;
inline constexpr int kMaxHeight = 1000;  ///< height of an expression's tree, and so the length of a plain sum
/// Nesting limit for `for`, `if`, `component`; an `else if` counts as nested in its `if`.
inline constexpr int kMaxBlocks = 100;
/// After this many errors one `kTooManyErrors` is reported, and reading stops.
inline constexpr int kMaxSyntaxErrors = 200;

/// Parses a whole model file. After an error it continues with the next statement, so all errors of a file are reported
/// in one run, with one diagnostic per root cause. Faulty statements are left out of the result. Statements, clauses
/// and functions that this version does not support are reported as `kNotSupported`. Never throws, whatever the input,
/// valid UTF-8 or not; nesting is bounded.  \cost O(length).
/// \param laws  laws that a clause may name; they must outlive the call.
[[nodiscard]] ModelFile parse(const diag::SourceText& source, LawForms laws, diag::Sink& sink);
/// Parses `part` of the source, an included file; ranges refer to the whole source.
[[nodiscard]] ModelFile parse(const diag::SourceText& source, SourceRange part, LawForms laws, diag::Sink& sink);

/// Parses a single expression, as in `--set p = 2 [kg]`; reports errors to the sink and returns null after them.
[[nodiscard]] ExpressionPtr parse_expression(const diag::SourceText& source, diag::Sink& sink);

}  // namespace vinculum::lang
