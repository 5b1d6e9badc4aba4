#include "vinculum/diag/render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "vinculum/diag/utf8.hpp"

namespace vinculum::diag {
namespace {

constexpr int kTabStop = 4;
constexpr std::size_t kWidestLine = 120;   // bytes; longer lines are cut to a window around the caret
constexpr std::size_t kWindowBefore = 50;  // bytes shown before the caret in a cut line
constexpr std::size_t kWindowBehind = 60;  // bytes shown from the caret on in a cut line
constexpr std::string_view kCut = "…";

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::kError: return "error";
    case Severity::kWarning: return "warning";
    case Severity::kNotice: return "notice";
  }
  return "error";
}

// The part of a range that lies on its first line. It is at least one byte long, except at the end of the line.
struct Spot {
  int line = 1;
  std::string file;
  std::string_view text;  // the text of that line
  std::size_t begin = 0;  // byte offset from the start of the line
  std::size_t end = 0;
};

Spot first_line_of(const SourceText& source, SourceRange range) {
  Spot spot;
  Position place = source.position(range.begin);
  spot.line = place.line;
  spot.file = std::move(place.file);
  const std::string_view line = spot.text = source.line_at(range.begin);
  const auto start =
      line.empty() ? std::size_t{range.begin} : static_cast<std::size_t>(line.data() - source.whole().data());
  const auto on_line = [&](std::uint32_t byte) {
    return std::clamp<std::size_t>(byte, start, start + line.size()) - start;
  };
  spot.begin = on_line(range.begin);
  spot.end = std::max(spot.begin, on_line(range.end));
  if (spot.begin == spot.end && spot.begin < line.size()) spot.end += read_character(line, spot.begin).length;
  return spot;
}

// Part of a line as displayed: tabs become blanks up to the next tab stop; control characters and invalid bytes become
// U+FFFD.
class ShownLine {
 public:
  ShownLine(std::string_view line, std::size_t around) : line_(line), first_(0), last_(line.size()) {
    if (line.size() > kWidestLine) {
      first_ = around > kWindowBefore ? at_character_start(around - kWindowBefore) : 0;
      last_ = at_character_start(std::min(line.size(), std::max(around, first_) + kWindowBehind));
    }
    if (first_ > 0) shown_ = kCut;
    const int cut_width = first_ > 0 ? 1 : 0;
    column_ = cut_width;
    for (std::size_t at = first_; at < last_;) {
      columns_.push_back(column_);
      const Character character = read_character(line_, at);
      append(character, line_.substr(at, character.length));
      columns_.insert(columns_.end(), character.length - 1, column_);
      at += character.length;
    }
    columns_.push_back(column_);
    if (last_ < line.size()) shown_ += kCut;
  }

  const std::string& shown() const { return shown_; }
  bool has(std::size_t byte) const { return first_ <= byte && byte <= last_; }
  int column(std::size_t byte) const { return columns_[std::clamp(byte, first_, last_) - first_]; }

 private:
  std::size_t at_character_start(std::size_t byte) const {
    for (int back = 0; back < 3 && byte > 0 && byte < line_.size() && (line_[byte] & 0xC0) == 0x80; ++back) --byte;
    return byte;
  }

  void append(const Character& character, std::string_view bytes) {
    if (character.code_point == '\t') {
      const int width = kTabStop - column_ % kTabStop;
      shown_.append(static_cast<std::size_t>(width), ' ');
      column_ += width;
      return;
    }
    const bool is_control =
        character.code_point < 0x20 || (0x7F <= character.code_point && character.code_point < 0xA0);
    if (is_control || !character.is_valid) {
      shown_ += "\xEF\xBF\xBD";
      column_ += 1;
      return;
    }
    shown_ += bytes;
    column_ += display_width(character.code_point);
  }

  std::string_view line_;
  std::size_t first_;
  std::size_t last_;
  std::string shown_;
  int column_ = 0;
  std::vector<int> columns_;  // display column of each byte in [first_, last_]
};

std::string without_trailing_blanks(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace

std::string render_text(const SourceText& source, const Diagnostic& diagnostic) {
  return render_message(source,
                        {std::string(severity_name(diagnostic.severity)), std::string(kind_info(diagnostic.kind).name),
                         diagnostic.range, diagnostic.message, diagnostic.label, diagnostic.labels, diagnostic.hint});
}

std::string render_message(const SourceText& source, const Message& report) {
  struct Mark {
    Spot spot;
    std::string_view text;
  };
  std::vector<Mark> marks{{first_line_of(source, report.range), report.label}};
  for (const Label& label : report.labels) marks.push_back({first_line_of(source, label.range), label.text});

  const Position place = source.position(report.range.begin);
  std::string result = fmt::format("{}:{}:{}: {}: {} [{}]\n", place.file, place.line, place.column, report.severity,
                                   report.message, report.kind);
  const int last_line = std::ranges::max_element(marks, {}, [](const Mark& mark) { return mark.spot.line; })->spot.line;
  const std::size_t number_width = std::to_string(last_line).size();

  const Mark* previous = nullptr;
  ShownLine shown("", 0);
  for (const Mark& mark : marks) {
    const bool is_same_file = mark.spot.file == (previous == nullptr ? place.file : previous->spot.file);
    if (!is_same_file) result += fmt::format("  in {}:\n", mark.spot.file);
    if (previous == nullptr || !is_same_file || previous->spot.line != mark.spot.line || !shown.has(mark.spot.begin)) {
      shown = ShownLine(mark.spot.text, mark.spot.begin);
      result +=
          without_trailing_blanks(fmt::format("  {:>{}} | {}", mark.spot.line, number_width, shown.shown())) + "\n";
    }
    const int begin = shown.column(mark.spot.begin);
    const int end = std::max(begin + 1, shown.column(mark.spot.end));
    result += fmt::format("  {:>{}} | {:>{}}{:^>{}}{}{}\n", "", number_width, "", begin, "", end - begin,
                          mark.text.empty() ? "" : " ", mark.text);
    previous = &mark;
  }
  if (!report.hint.empty()) result += fmt::format("  hint: {}\n", report.hint);
  return result;
}

std::string render_text(const SourceText& source, std::span<const Diagnostic> diagnostics) {
  std::vector<Diagnostic> sorted(diagnostics.begin(), diagnostics.end());
  sort_by_place(sorted);
  std::string result;
  for (const Diagnostic& diagnostic : sorted) {
    if (!result.empty()) result += '\n';
    result += render_text(source, diagnostic);
  }
  return result;
}

std::string render_json(const SourceText& source, std::span<const Diagnostic> diagnostics) {
  std::vector<Diagnostic> sorted(diagnostics.begin(), diagnostics.end());
  sort_by_place(sorted);
  auto array = nlohmann::ordered_json::array();
  for (const Diagnostic& diagnostic : sorted) {
    const Spot spot = first_line_of(source, diagnostic.range);
    const std::string_view line = spot.text;
    const int column = count_characters(line.substr(0, spot.begin)) + 1;
    const int width = count_characters(line.substr(spot.begin, spot.end - spot.begin));
    array.push_back({{"kind", kind_info(diagnostic.kind).name},
                     {"severity", severity_name(diagnostic.severity)},
                     {"file", spot.file},
                     {"line", spot.line},
                     {"column", column},
                     {"end_column", column + std::max(1, width)},
                     {"message", diagnostic.message},
                     {"hint", diagnostic.hint}});
  }
  return array.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace vinculum::diag
