#include "vinculum/motion/mode.hpp"

#include <limits>

#include "vinculum/compiled/binding.hpp"
#include "vinculum/compiled/scales.hpp"
#include "vinculum/compiled/watches.hpp"

namespace vinculum::sim {

Mode mode_at_start(const Binding& bound) {
  Mode mode;
  mode.position_size = row_scale(bound, bound->position_rows, model::Level::kPosition);
  mode.velocity_size = row_scale(bound, bound->velocity_rows, model::Level::kVelocity);
  if (!bound->system->slides.empty()) {
    mode.friction.sticks.assign(bound->system->slides.size(), 0);
    mode.friction.direction = Vector::Constant(bound->slide_size(), std::numeric_limits<double>::quiet_NaN());
  }
  return mode;
}

void set_friction(Mode& mode, const FrictionState& state) {
  if (mode.friction.sticks.empty()) return;  // the model has no friction contacts
  mode.friction = state;
  mode.reaction.has_last = false;
  for (Mode& face : mode.faces) set_friction(face, state);
}

void set_sides(Mode& mode, const Binding& bound, std::span<const double> sides) {
  if (!bound->watches || bound->watches->surface_count() == 0) return;
  const Switches& switches = bound->watches->switches;
  mode.sides.assign(sides.begin(), sides.end());
  mode.along = switches.between(sides);
  mode.faces.clear();
  mode.are_faces_complete = false;
  if (mode.along.empty()) return;
  std::vector<Mode> faces(mode.along.size() + 1, mode);
  for (std::size_t face = 0; face < faces.size(); ++face)
    faces[face].sides = switches.sides_of_face(mode.sides, mode.along, face);
  mode.faces = std::move(faces);
}

}  // namespace vinculum::sim
