#pragma once

#include <optional>

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/imports/robot.hpp"

namespace vinculum::imports {

/// Reads a robot in the Unified Robot Description Format (https://wiki.ros.org/urdf/XML). Meshes are named, and never
/// opened. Elements that say nothing about the motion are counted in `Robot::left_out`.
/// \returns nothing, after reports, if the text is wrong.
[[nodiscard]] std::optional<Robot> read_urdf(const diag::SourceText& source, diag::Sink& sink);

}  // namespace vinculum::imports
