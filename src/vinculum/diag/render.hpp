#pragma once

#include <span>
#include <string>
#include <vector>

#include "vinculum/diag/diagnostic.hpp"

namespace vinculum::diag {

/// What any rendered report is made of, whether it is a Diagnostic of a model or a Failure of its motion.
struct Message {
  std::string severity;  ///< "error", "warning", "notice"
  std::string kind;      ///< shown in brackets
  SourceRange range;
  std::string message;
  std::string label;
  std::vector<Label> labels;
  std::string hint;
};
/// A report as a good compiler shows it; what `render_text` does with each diagnostic. Ends in a newline.
[[nodiscard]] std::string render_message(const SourceText& source, const Message& message);

/// One diagnostic as a good compiler shows it: file:line:column, the line, a caret under the exact token, the hint.
/// Labels in another file stand under its name. Long lines are windowed around the caret; a range over several lines
/// shows its first. Ends in a newline.
[[nodiscard]] std::string render_text(const SourceText& source, const Diagnostic& diagnostic);
/// All of them in the order of their places, a blank line between two.
[[nodiscard]] std::string render_text(const SourceText& source, std::span<const Diagnostic> diagnostics);
/// JSON array of {"kind","severity","file","line","column","end_column","message","hint"}; `end_column` is exclusive
/// and on the same line; empty array when there is nothing to say.
[[nodiscard]] std::string render_json(const SourceText& source, std::span<const Diagnostic> diagnostics);

}  // namespace vinculum::diag
