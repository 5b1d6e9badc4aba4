#include "vinculum/diag/utf8.hpp"

#include <algorithm>

namespace vinculum::diag {
namespace {

constexpr Character kInvalid{0xFFFD, 1, false};

struct CodePointRange {
  std::uint32_t first, last;
};

// Source: Unicode 15.1, DerivedGeneralCategory.txt (Mn, Me) and EastAsianWidth.txt (W, F); only the common blocks.
constexpr CodePointRange kZeroWidth[] = {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x064B, 0x065F},
                                         {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x202A, 0x202E},
                                         {0x2060, 0x2064}, {0x20D0, 0x20F0}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
                                         {0xFEFF, 0xFEFF}};
constexpr CodePointRange kDoubleWidth[] = {
    {0x1100, 0x115F}, {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},
    {0xA000, 0xA4CF}, {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
    {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};

template <std::size_t kSize>
bool is_in(std::uint32_t code_point, const CodePointRange (&ranges)[kSize]) {
  return std::ranges::any_of(
      ranges, [&](const CodePointRange& range) { return range.first <= code_point && code_point <= range.last; });
}

}  // namespace

Character read_character(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t first = byte(at);
  if (first < 0x80) return {first, 1, true};
  std::uint32_t length = 0;
  std::uint32_t smallest = 0;
  if ((first & 0xE0) == 0xC0) {
    length = 2;
    smallest = 0x80;
  } else if ((first & 0xF0) == 0xE0) {
    length = 3;
    smallest = 0x800;
  } else if ((first & 0xF8) == 0xF0) {
    length = 4;
    smallest = 0x10000;
  } else {
    return kInvalid;
  }
  if (length > text.size() - at) return kInvalid;
  std::uint32_t code_point = first & (0x7FU >> length);
  for (std::uint32_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return kInvalid;
    code_point = (code_point << 6) | (byte(at + i) & 0x3F);
  }
  const bool is_surrogate = 0xD800 <= code_point && code_point <= 0xDFFF;
  if (code_point < smallest || code_point > 0x10FFFF || is_surrogate) return kInvalid;
  return {code_point, length, true};
}

int count_characters(std::string_view text) {
  int count = 0;
  for (std::size_t at = 0; at < text.size(); at += read_character(text, at).length) ++count;
  return count;
}

int display_width(std::uint32_t code_point) {
  if (code_point < 0x300) return 1;
  if (is_in(code_point, kZeroWidth)) return 0;
  return is_in(code_point, kDoubleWidth) ? 2 : 1;
}

}  // namespace vinculum::diag
