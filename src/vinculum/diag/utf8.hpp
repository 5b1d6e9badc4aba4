#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vinculum::diag {

/// One character decoded from UTF-8. A byte that begins no valid sequence counts as one character.
struct Character {
  std::uint32_t code_point = 0;  ///< U+FFFD for an invalid byte
  std::uint32_t length = 1;      ///< [bytes] > 0
  bool is_valid = true;          ///< shortest form, no surrogate, at most U+10FFFF
};
/// The character at byte `at` < `text.size()`.
[[nodiscard]] Character read_character(std::string_view text, std::size_t at);

/// Number of characters in `text`.  \cost O(length)
[[nodiscard]] int count_characters(std::string_view text);

/// Terminal columns of a character: 0 for combining marks, 2 for wide East Asian characters and emoji, otherwise 1.
[[nodiscard]] int display_width(std::uint32_t code_point);

}  // namespace vinculum::diag
