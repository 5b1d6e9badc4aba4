#pragma once

#include <string>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Several bodies may be given one frame. The first owns it; each further one owns a frame beside it, its child, turned
/// by nothing: so that forces and torques on each body are told apart, whether they move together or not.

/// Whether the frame is such a child.
[[nodiscard]] bool is_beside_parent(const Frame& frame);
/// The frame that its body was given.
[[nodiscard]] FrameId shared_frame(const Model& model, FrameId frame);
/// "`A`, `B`": the bodies that were given this frame; empty where it is not more than one, and of the newtonian frame.
[[nodiscard]] std::string bodies_sharing(const Model& model, FrameId frame);

}  // namespace vinculum::model
