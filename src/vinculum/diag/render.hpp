#pragma once

#include <span>
#include <string>
#include <vector>

#include "vinculum/diag/diagnostic.hpp"

namespace vinculum::diag {

/// Contents of a rendered report, either of a Diagnostic of a model or of a Failure of its motion.
struct Message {
  std::string severity;  ///< "error", "warning", "notice"
  std::string kind;      ///< shown in brackets
  SourceRange range;
  std::string message;
  std::string label;
  std::vector<Label> labels;
  std::string hint;
};
/// Text of a report in the form of a compiler message; `render_text` uses it for each diagnostic. Ends in a newline.
[[nodiscard]] std::string render_message(const SourceText& source, const Message& message);

/// One diagnostic in the form of a compiler message: file:line:column, the line, a caret under the exact token, the
/// hint. A label in another file is shown under the name of that file. A long line is cut to a window around the caret.
/// If a range covers several lines, only the first line is shown. Ends in a newline.
[[nodiscard]] std::string render_text(const SourceText& source, const Diagnostic& diagnostic);
/// All diagnostics, ordered by place, separated by blank lines.
[[nodiscard]] std::string render_text(const SourceText& source, std::span<const Diagnostic> diagnostics);
/// JSON array of {"kind","severity","file","line","column","end_column","message","hint"}. `end_column` is exclusive
/// and on the same line. An empty array if there are no diagnostics.
[[nodiscard]] std::string render_json(const SourceText& source, std::span<const Diagnostic> diagnostics);

}  // namespace vinculum::diag
