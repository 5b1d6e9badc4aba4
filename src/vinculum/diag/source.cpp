#include "vinculum/diag/source.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/diag/utf8.hpp"

namespace vinculum::diag {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

SourceRange cover(SourceRange first, SourceRange second) {
  return {std::min(first.begin, second.begin), std::max(first.end, second.end)};
}

SourceText::SourceText(std::string name, std::string text) : text_(std::move(text)) {
  parts_.push_back(part_of(std::move(name), text_, 0));
}

SourceRange SourceText::append(std::string name, std::string_view text) {
  VINCULUM_EXPECTS(text_.size() + text.size() + 1 < std::numeric_limits<std::uint32_t>::max());
  text_ += '\n';
  const auto begin = static_cast<std::uint32_t>(text_.size());
  text_ += text;
  const Part& part = parts_.emplace_back(part_of(std::move(name), text, begin));
  return {part.begin, part.end};
}

SourceText::Part SourceText::part_of(std::string name, std::string_view text, std::uint32_t begin) {
  Part part{std::move(name), begin, begin + static_cast<std::uint32_t>(text.size()), {begin}};
  // A byte order mark is not part of the first line: columns count from the byte after it, as in editors.
  if (text.starts_with(kByteOrderMark)) part.line_starts[0] += static_cast<std::uint32_t>(kByteOrderMark.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') part.line_starts.push_back(begin + static_cast<std::uint32_t>(i + 1));
  }
  return part;
}

const SourceText::Part& SourceText::part_at(std::uint32_t byte) const {
  const auto next = std::ranges::upper_bound(parts_, byte, {}, &Part::begin);
  return next == parts_.begin() ? parts_.front() : *std::prev(next);
}

std::string_view SourceText::slice(SourceRange range) const {
  const std::size_t begin = std::min<std::size_t>(range.begin, text_.size());
  const std::size_t end = std::clamp<std::size_t>(range.end, begin, text_.size());
  return std::string_view(text_).substr(begin, end - begin);
}

Position SourceText::position(std::uint32_t byte) const {
  const Part& part = part_at(byte);
  byte = std::min(byte, part.end);
  const auto next = std::ranges::upper_bound(part.line_starts, byte);
  if (next == part.line_starts.begin()) return {1, 1, part.name};  // inside a byte order mark
  const std::uint32_t start = *std::prev(next);
  return {static_cast<int>(next - part.line_starts.begin()), count_characters(slice({start, byte})) + 1, part.name};
}

std::string_view SourceText::line_at(std::uint32_t byte) const { return line_of(part_at(byte), position(byte).line); }

std::string_view SourceText::line_of(const Part& part, int line) const {
  if (line < 1 || line > static_cast<int>(part.line_starts.size())) return {};
  const auto index = static_cast<std::size_t>(line - 1);
  const bool is_last = index + 1 == part.line_starts.size();
  const std::uint32_t end = is_last ? part.end : part.line_starts[index + 1] - 1;
  std::string_view result = slice({part.line_starts[index], end});
  if (result.ends_with('\r')) result.remove_suffix(1);
  return result;
}

}  // namespace vinculum::diag
