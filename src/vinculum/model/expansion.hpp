#pragma once

#include <set>

#include "vinculum/model/calculus.hpp"
#include "vinculum/model/kinematic_tree.hpp"

namespace vinculum::model {

/// As `expand_massless` of calculus.hpp, but positions of the points in `through` are expanded too, though a force
/// could act there, and points in `kept` stay, though they have no mass.
[[nodiscard]] Term expand_massless(const Model& model, Term term, const std::set<PointId>& through,
                                   const std::set<PointId>& kept = {});

/// The point of the body that the frame is fixed in which the definitions put at the same place as `point`; nothing if
/// there is none.
[[nodiscard]] std::optional<PointId> coincident_point(const Model& model, KinematicTree& tree, PointId point,
                                                      FrameId frame);

/// Velocities, accelerations and angular ones seen in moving frames by those seen in the newtonian one: relative
/// motion.
[[nodiscard]] Term seen_in_newtonian(const Model& model, Term root);

/// The row in velocities of particles, of points fixed in solids and of solids, and in their places. The velocity of a
/// point that moves over a solid becomes that of the solid's material point at the same place.
[[nodiscard]] Term in_places_of_matter(const Model& model, Term row);

}  // namespace vinculum::model
