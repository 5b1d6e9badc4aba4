#pragma once

#include <string>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Several bodies may share one frame. The first body owns it; each further body owns a child frame without rotation.
/// So the forces and torques on each body remain distinct although the bodies move together.

/// Whether the frame is such a child frame without rotation.
[[nodiscard]] bool is_beside_parent(const Frame& frame);
/// The parent if `frame` is such a child frame; otherwise `frame` itself.
[[nodiscard]] FrameId shared_frame(const Model& model, FrameId frame);
/// "`A`, `B`": the bodies that share this frame; empty if there is at most one, and for the newtonian frame.
[[nodiscard]] std::string bodies_sharing(const Model& model, FrameId frame);

}  // namespace vinculum::model
