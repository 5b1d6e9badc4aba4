#pragma once

#include <optional>

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/imports/robot.hpp"

namespace vinculum::imports {

/// Reads the model of a file in the Simulation Description Format (http://sdformat.org/spec): links, and joints of the
/// types fixed, revolute, continuous and prismatic. A joint whose frame is not that of its child gets a link without
/// mass for its frame. Meshes are never opened.
/// \returns nothing, after reports, if the text is wrong.
[[nodiscard]] std::optional<Robot> read_sdf(const diag::SourceText& source, diag::Sink& sink);

}  // namespace vinculum::imports
