#include "vinculum/diag/source.hpp"

#include <algorithm>
#include <utility>

#include "vinculum/diag/utf8.hpp"

namespace vinculum::diag {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

SourceRange cover(SourceRange first, SourceRange second) {
  return {std::min(first.begin, second.begin), std::max(first.end, second.end)};
}

SourceText::SourceText(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
  // A byte order mark is no character of the first line: columns count from behind it, as editors do.
  if (text_.starts_with(kByteOrderMark)) line_starts_[0] = static_cast<std::uint32_t>(kByteOrderMark.size());
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

std::string_view SourceText::slice(SourceRange range) const {
  const std::size_t begin = std::min<std::size_t>(range.begin, text_.size());
  const std::size_t end = std::clamp<std::size_t>(range.end, begin, text_.size());
  return std::string_view(text_).substr(begin, end - begin);
}

Position SourceText::position(std::uint32_t byte) const {
  byte = std::min(byte, static_cast<std::uint32_t>(text_.size()));
  const auto next = std::ranges::upper_bound(line_starts_, byte);
  if (next == line_starts_.begin()) return {};  // inside a byte order mark
  const auto index = next - line_starts_.begin() - 1;
  const std::uint32_t start = line_starts_[static_cast<std::size_t>(index)];
  return {static_cast<int>(index) + 1, count_characters(slice({start, byte})) + 1};
}

std::string_view SourceText::line(int line) const {
  if (line < 1 || line > line_count()) return {};
  const auto index = static_cast<std::size_t>(line - 1);
  const bool is_last = index + 1 == line_starts_.size();
  const auto end = is_last ? static_cast<std::uint32_t>(text_.size()) : line_starts_[index + 1] - 1;
  std::string_view result = slice({line_starts_[index], end});
  if (result.ends_with('\r')) result.remove_suffix(1);
  return result;
}

}  // namespace vinculum::diag
