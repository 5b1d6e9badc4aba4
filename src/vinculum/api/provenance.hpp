#pragma once

#include <string>

#include "vinculum/report/tree.hpp"
#include "vinculum/trajectory.hpp"

namespace vinculum {

/// The provenance (version, model, hash of the text, values set) as an entry of `result.json`.
[[nodiscard]] report::Node provenance_node(const Provenance& provenance);
/// The provenance as one line for the header of a CSV file: {"version", "model", "text_hash", "set"}.
[[nodiscard]] std::string provenance_line(const Provenance& provenance);

}  // namespace vinculum
