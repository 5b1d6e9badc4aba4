#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace vinculum::lang {

/// The kind of value that follows the word of an option of `table`.
enum class TableOptionValue : std::uint8_t { kNone, kWord, kText };

struct TableOptionForm {
  std::string_view word;
  TableOptionValue value;
  std::string_view signature;  ///< as in the reference: `column "NAME"`
};

/// The options of `table("file.csv", x)`, in any order after the arguments.
[[nodiscard]] std::span<const TableOptionForm> table_options();
/// The row of the word in `table_options()`, or null.
[[nodiscard]] const TableOptionForm* find_table_option(std::string_view word);

}  // namespace vinculum::lang
