#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace vinculum::lang {

/// What follows the word of an option of `table`.
enum class TableOptionValue : std::uint8_t { kNone, kWord, kText };

struct TableOptionForm {
  std::string_view word;
  TableOptionValue value;
  std::string_view signature;  ///< `column "NAME"`
};

/// The options of `table("file.csv", x)`, in any order after the arguments.
[[nodiscard]] std::span<const TableOptionForm> table_options();
/// The row of a word, or null.
[[nodiscard]] const TableOptionForm* find_table_option(std::string_view word);

}  // namespace vinculum::lang
