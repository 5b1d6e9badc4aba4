#pragma once

#include <span>
#include <string>

#include "vinculum/diag/diagnostic.hpp"

namespace vinculum::diag {

/// One diagnostic as a good compiler shows it: file:line:column, the line, a caret under the exact token, the hint.
/// Long lines are windowed around the caret; a range over several lines shows its first. Ends in a newline.
[[nodiscard]] std::string render_text(const SourceText& source, const Diagnostic& diagnostic);
/// All of them in the order of their places, a blank line between two.
[[nodiscard]] std::string render_text(const SourceText& source, std::span<const Diagnostic> diagnostics);
/// JSON array of {"kind","severity","line","column","end_column","message","hint"}; `end_column` is exclusive and on
/// the same line; empty array when there is nothing to say.
[[nodiscard]] std::string render_json(const SourceText& source, std::span<const Diagnostic> diagnostics);

}  // namespace vinculum::diag
