#pragma once

#include <string>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Several bodies may share one frame. The first body owns it; each further body owns a child frame without rotation.
/// So forces and torques on each body are distinguished even if they move together.

/// Whether the frame is such a child.
[[nodiscard]] bool is_beside_parent(const Frame& frame);
/// The shared frame, for such a child; otherwise the frame itself.
[[nodiscard]] FrameId shared_frame(const Model& model, FrameId frame);
/// "`A`, `B`": the bodies that share this frame; empty if there is at most one, and for the newtonian frame.
[[nodiscard]] std::string bodies_sharing(const Model& model, FrameId frame);

}  // namespace vinculum::model
