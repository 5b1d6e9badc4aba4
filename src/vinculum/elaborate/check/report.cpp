#include "vinculum/elaborate/check/report.hpp"

#include <algorithm>
#include <utility>

#include "vinculum/diag/utf8.hpp"

namespace vinculum::elaborate {

void Reporter::report(diag::Diagnostic diagnostic) {
  if (is_full()) return;
  const bool is_error = diagnostic.severity == diag::Severity::kError;
  if (is_error) is_complete_ = false;
  const bool is_at_a_place = diagnostic.range.begin < diagnostic.range.end;
  if (is_at_a_place && !reported_.emplace(diagnostic.kind, diagnostic.range).second) return;
  if (is_error) {
    if (++errors_ > kMaxErrors) {
      diagnostic = {diag::Kind::kTooManyErrors,
                    diag::Severity::kError,
                    diagnostic.range,
                    "too many errors, checking stops here",
                    {},
                    {},
                    {}};
    }
  }
  show_uses(diagnostic);
  show_functions(diagnostic);
  sink_.report(std::move(diagnostic));
}

void Reporter::show_uses(diag::Diagnostic& diagnostic) const {
  const auto holds = [&](diag::SourceRange outer) {
    return outer.begin <= diagnostic.range.begin && diagnostic.range.end <= outer.end;
  };
  if (written_out_by_.empty()) return;
  if (holds(statement_)) {
    diagnostic.labels.push_back({written_out_by_.front(), "written out by this"});
    if (written_out_by_.size() > 1) diagnostic.labels.push_back({written_out_by_.back(), "and first of all by this"});
  } else if (std::ranges::any_of(written_out_by_, holds)) {
    diagnostic.labels.push_back({statement_, "its place in the component"});  // the mistake is in an argument
  }
}

void Reporter::show_functions(diag::Diagnostic& diagnostic) const {
  if (functions_.empty()) return;
  const auto is_inside = [](diag::SourceRange inner, diag::SourceRange outer) {
    return outer.begin <= inner.begin && inner.end <= outer.end;
  };
  const lang::WrittenOut &innermost = *functions_.back(), &outermost = *functions_.front();
  const bool is_of_name =
      diagnostic.kind == diag::Kind::kUnknownName || diagnostic.kind == diag::Kind::kUnknownFunction;
  if (is_inside(diagnostic.range, innermost.definition)) {
    diagnostic.labels.push_back({innermost.use, "used here"});
    if (&outermost != &innermost) diagnostic.labels.push_back({outermost.use, "and first of all here"});
    return;
  }
  if (is_of_name) return;
  // The mistake is an argument that does not fit its place, or a declaration that both use.
  const bool is_shown = std::ranges::any_of(
      diagnostic.labels, [&](const diag::Label& label) { return is_inside(label.range, innermost.definition); });
  if (!is_shown) diagnostic.labels.push_back({innermost.definition, "its place in the function"});
  if (is_shown && !is_inside(diagnostic.range, outermost.use))
    diagnostic.labels.push_back({outermost.use, "used here"});
  if (diagnostic.hint.empty())
    diagnostic.hint = "units are checked where a function is used: this argument must fit its place there";
}

void Reporter::error(diag::Kind kind, diag::SourceRange range, std::string message, std::string hint) {
  report(diag::error(kind, range, std::move(message), std::move(hint)));
}

void Reporter::error(diag::Kind kind, diag::SourceRange range, std::string message, diag::Label other,
                     std::string hint) {
  report({kind, diag::Severity::kError, range, std::move(message), {}, {std::move(other)}, std::move(hint)});
}

void Reporter::contrast(diag::Kind kind, std::string message, diag::Label first, diag::Label second, std::string hint) {
  report({kind,
          diag::Severity::kError,
          first.range,
          std::move(message),
          std::move(first.text),
          {std::move(second)},
          std::move(hint)});
}

void Reporter::warn(diag::Kind kind, diag::SourceRange range, std::string message, std::string hint) {
  report({kind, diag::Severity::kWarning, range, std::move(message), {}, {}, std::move(hint)});
}

std::string Reporter::place(diag::SourceRange range) const {
  const diag::Position at = source_.position(range.begin);
  return at.file + ":" + std::to_string(at.line);
}

std::string Reporter::quoted(diag::SourceRange range) const {
  constexpr std::size_t kLongest = 40;
  const std::string_view text = source_.slice(range);
  std::string result = "`";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = diag::read_character(text, at).length;
    if (text[at] == '\n' || text[at] == '#' || at + length > kLongest) return result + "…`";
    result += text.substr(at, length);
    at += length;
  }
  return result + "`";
}

std::string Reporter::as_written(diag::SourceRange range) const { return on_one_line(source_.slice(range)); }

std::string on_one_line(std::string_view text) {
  std::string result;
  bool in_text = false, in_comment = false;
  for (const char c : text) {
    if (c == '\n') in_comment = in_text = false;
    if (c == '"') in_text = !in_text && !in_comment;
    if (c == '#' && !in_text) in_comment = true;
    if (in_comment) continue;
    const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!is_blank)
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  while (result.ends_with(' ')) result.pop_back();
  return result;
}

std::string quote(std::string_view text) {
  std::string result(1, '`');
  result += text;
  result += '`';
  return result;
}

std::string with_article(const std::string& noun) {
  const bool begins_with_vowel =
      !noun.empty() && std::string_view("aeiou").find(noun.front()) != std::string_view::npos;
  return (begins_with_vowel ? "an " : "a ") + noun;
}

}  // namespace vinculum::elaborate
