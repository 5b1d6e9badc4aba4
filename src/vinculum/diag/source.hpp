#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vinculum::diag {

/// Half-open range of bytes [begin, end) in a SourceText; begin == end means a place between two bytes.
struct SourceRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  auto operator<=>(const SourceRange&) const = default;
};

/// Smallest range that covers both ranges.
[[nodiscard]] SourceRange cover(SourceRange first, SourceRange second);

/// Line and column of a byte, both counted from 1; columns count characters (code points), not bytes.
struct Position {
  int line = 1;
  int column = 1;
  std::string file;  ///< displayed name of the file that contains the byte
};

/// The text of a model and the displayed name of its file. The texts of included files are appended, so that a
/// SourceRange can be a place in any of the files.
class SourceText {
 public:
  SourceText() : parts_(1) {}
  SourceText(std::string name, std::string text);

  /// Appends the text of an included file. Views of the text become invalid; ranges stay valid.
  /// \returns the range of the appended text.
  SourceRange append(std::string name, std::string_view text);

  /// \name The model's own file
  /// @{
  [[nodiscard]] const std::string& name() const { return parts_.front().name; }
  [[nodiscard]] std::string_view text() const { return slice({0, parts_.front().end}); }
  /// The text of line `line` (from 1) without its line end.
  [[nodiscard]] std::string_view line(int line) const { return line_of(parts_.front(), line); }
  [[nodiscard]] int line_count() const { return static_cast<int>(parts_.front().line_starts.size()); }
  /// @}

  /// \name All files
  /// @{
  /// The texts of all files, one after another, with a line end between each two.
  [[nodiscard]] std::string_view whole() const { return text_; }
  [[nodiscard]] std::string_view slice(SourceRange range) const;
  [[nodiscard]] Position position(std::uint32_t byte) const;
  /// The line that contains a byte, without its line end.
  [[nodiscard]] std::string_view line_at(std::uint32_t byte) const;
  /// The name of the file that contains a byte.
  [[nodiscard]] const std::string& file_at(std::uint32_t byte) const { return part_at(byte).name; }
  /// The ranges of all files, the model's own first.
  [[nodiscard]] std::vector<SourceRange> files() const {
    std::vector<SourceRange> ranges;
    for (const Part& part : parts_) ranges.push_back({part.begin, part.end});
    return ranges;
  }
  /// Whether two bytes are in the same file.
  [[nodiscard]] bool is_one_file(std::uint32_t first, std::uint32_t second) const {
    return &part_at(first) == &part_at(second);
  }
  /// @}

 private:
  /// One file: bytes [begin, end). The position `end` itself also belongs to it.
  struct Part {
    std::string name;
    std::uint32_t begin = 0, end = 0;
    std::vector<std::uint32_t> line_starts{0};
  };
  [[nodiscard]] static Part part_of(std::string name, std::string_view text, std::uint32_t begin);
  [[nodiscard]] const Part& part_at(std::uint32_t byte) const;
  [[nodiscard]] std::string_view line_of(const Part& part, int line) const;

  std::string text_;
  std::vector<Part> parts_;
};

}  // namespace vinculum::diag
