#include "vinculum/model/shared_frame.hpp"

namespace vinculum::model {

bool is_beside_parent(const Frame& frame) {
  return frame.parent.is_valid() && frame.rotations.empty() && !frame.quaternion && frame.body.has_value();
}

FrameId shared_frame(const Model& model, FrameId frame) {
  return is_beside_parent(model.frame(frame)) ? model.frame(frame).parent : frame;
}

std::string bodies_sharing(const Model& model, FrameId frame) {
  std::string names;
  if (frame == Model::newtonian()) return names;  // in messages the ground is named by the newtonian frame itself
  for (const Frame& other : model.frames) {
    if (other.parent == frame && is_beside_parent(other)) names += ", `" + model.body(*other.body).name + "`";
  }
  if (names.empty()) return names;
  return "`" + model.body(*model.frame(frame).body).name + "`" + names;
}

}  // namespace vinculum::model
