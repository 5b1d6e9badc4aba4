#pragma once

#include <string>
#include <string_view>

namespace vinculum::sim {

/// Advice for a failure whose message names a table outside of its range, as `expr::explain_non_finite` does; empty for
/// other messages.
[[nodiscard]] inline std::string advice_of_table(std::string_view message) {
  if (message.find("table ") == message.npos || message.find(" outside [") == message.npos) return {};
  return "let the file cover this range, or state the values outside of it by an option of `table`: `outside hold`, "
         "`outside linear` or `periodic`";
}

}  // namespace vinculum::sim
