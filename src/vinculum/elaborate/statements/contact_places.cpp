#include <algorithm>
#include <set>

#include "vinculum/elaborate/statements/elaborator.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::elaborate {

using model::BodyId;
using model::FrameId;
using model::Model;
using model::PointId;
using model::Term;

/// The body that carries a massless point which is not fixed in the body. Such a point is a place of contact: the
/// vector from the mass center to it is fixed in a frame relative to which the body rotates, such as the vertical
/// radius of a wheel. If the vector has a rotation of its own, the point belongs to a massless link and is not a place
/// of contact.
std::optional<BodyId> Elaborator::goes_along_with(PointId place) {
  model::KinematicTree& tree = context_.facts.tree();
  const model::Point& point = model_.point(place);
  if (point.particle || point.center_of || point.on.is_valid() || point.frame.is_valid()) return std::nullopt;
  if (!tree.of_motion(place, Model::newtonian()).on_coordinates || tree.carrier_of(place)) return std::nullopt;
  std::optional<BodyId> found;
  for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
    const model::Body& body = model_.bodies[i];
    if (tree.of_rotation(body.frame, Model::newtonian()).is_none() || tree.is_fixed_in(place, body.frame)) continue;
    const Term arm = tree.separation(place, body.center);
    const auto is_fixed_above = [&] {
      for (FrameId above = model_.frame(body.frame).parent; above.is_valid(); above = model_.frame(above).parent) {
        if (tree.of_term(arm, above).is_none()) return true;
      }
      return false;
    };
    if (arm.is_zero() || !is_fixed_above()) continue;
    // If the point is offset from the center of a body, it belongs to that body rather than to others.
    if (tree.common_base(place, body.center) == body.center) return BodyId(i);
    if (!found) found = BodyId(i);
  }
  return found;
}

/// Warns about uses of the velocity of a contact place. A wheel does not slip if the velocity of its material point at
/// the contact is zero. The contact place moves along with the wheel's center instead. So a constraint, friction or a
/// force with the velocity of the place means something else.
void Elaborator::check_contacts() {
  if (!context_.reporter.is_complete() || context_.guesses_places) return;
  std::set<PointId> seen;
  const auto check = [&](PointId place, diag::SourceRange range, std::string_view what) {
    if (!place.is_valid() || !seen.insert(place).second) return;
    const std::optional<BodyId> body = goes_along_with(place);
    if (!body) return;
    const std::string name = model_.point(place).name, of = model_.body(*body).name;
    context_.reporter.warn(
        diag::Kind::kPlaceOfContact, range,
        "`" + name + "` keeps its distance from the body `" + of + "` and is not a point of it: " + std::string(what),
        "declare the point of the body that is there: `point " + name + " on " + of + " = …`");
  };
  const auto check_force = [&](const auto& what, diag::SourceRange range) {
    const auto* force = std::get_if<model::ForceOn>(&what);
    if (force == nullptr) return;
    const std::string_view effect = "a force on it has no moment on the body";
    check(force->point, range, effect);
    if (force->from) check(*force->from, range, effect);
  };
  for (const model::Constraint& constraint : model_.constraints) {
    for (const Term row : constraint.rows) {
      for (const Term leaf : model::leaves_as_read(row)) {
        if (leaf.kind() == model::TermKind::kVelocity || leaf.kind() == model::TermKind::kAcceleration)
          check(model::point_of(leaf), constraint.range,
                "its velocity is that of the place, not that of the material in contact");
      }
    }
    for (const model::Nonideal& clause : constraint.nonideal) check_force(clause.what, clause.range);
    for (const model::Actuator& actuator : constraint.law->actuators()) {
      for (const model::ForceOn& force : actuator.forces)
        check(force.point, actuator.range, "a force on it has no moment on the body");
    }
  }
  for (const model::Load& load : model_.loads) check_force(load.what, load.range);
}

}  // namespace vinculum::elaborate
