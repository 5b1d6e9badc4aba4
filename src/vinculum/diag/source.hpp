#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vinculum::diag {

/// Half-open range of bytes [begin, end) in a SourceText; begin == end marks a place.
struct SourceRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  auto operator<=>(const SourceRange&) const = default;
};

/// Smallest range that covers both.
[[nodiscard]] SourceRange cover(SourceRange first, SourceRange second);

/// Line and column of a byte, both counted from 1; columns count characters (code points), not bytes.
struct Position {
  int line = 1;
  int column = 1;
};

/// The text of one model file and the name it is shown under.
class SourceText {
 public:
  SourceText() = default;
  SourceText(std::string name, std::string text);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::string_view slice(SourceRange range) const;
  [[nodiscard]] Position position(std::uint32_t byte) const;
  /// The text of line `line` (from 1) without its line end.
  [[nodiscard]] std::string_view line(int line) const;
  [[nodiscard]] int line_count() const { return static_cast<int>(line_starts_.size()); }

 private:
  std::string name_;
  std::string text_;
  std::vector<std::uint32_t> line_starts_{0};
};

}  // namespace vinculum::diag
