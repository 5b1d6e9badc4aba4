#pragma once

#include <string>
#include <vector>

#include "vinculum/report/tree.hpp"
#include "vinculum/trajectory.hpp"

namespace vinculum::model {
struct Model;
}

namespace vinculum {

/// loads.csv: one row per load (docs/json.md).
[[nodiscard]] report::Table loads_table(const model::Model& model, const Loads& loads);
/// The loads in text and JSON. The text has one line per load that is not zero.
[[nodiscard]] report::Node loads_node(const model::Model& model, const Loads& loads);

}  // namespace vinculum
