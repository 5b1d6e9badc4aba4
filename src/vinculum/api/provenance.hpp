#pragma once

#include <string>

#include "vinculum/report/tree.hpp"
#include "vinculum/trajectory.hpp"

namespace vinculum {

/// For `result.json`.
[[nodiscard]] report::Node provenance_node(const Provenance& provenance);
/// For the header of a CSV file, in one line: {"version", "model", "text_hash", "set"}.
[[nodiscard]] std::string provenance_line(const Provenance& provenance);

}  // namespace vinculum
