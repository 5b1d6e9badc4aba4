#pragma once

#include <set>

#include "vinculum/model/calculus.hpp"
#include "vinculum/model/kinematic_tree.hpp"

namespace vinculum::model {

/// As `expand_massless` of calculus.hpp, with two changes: positions of the points in `through` are expanded although a
/// force could act there, and points in `kept` stay although they have no mass.
[[nodiscard]] Term expand_massless(const Model& model, Term term, const std::set<PointId>& through,
                                   const std::set<PointId>& kept = {});

/// The point of the frame's body that by definition is at the same place as `point`; nothing if there is none.
[[nodiscard]] std::optional<PointId> coincident_point(const Model& model, KinematicTree& tree, PointId point,
                                                      FrameId frame);

/// Replaces velocities, accelerations and their angular counterparts seen in moving frames by those seen in the
/// newtonian frame.
[[nodiscard]] Term seen_in_newtonian(const Model& model, Term root);

/// The row in terms of positions and velocities of particles, points fixed in solids and solids. The velocity of a
/// point that moves over a solid becomes the velocity of the material point of the solid at the same place.
[[nodiscard]] Term in_places_of_matter(const Model& model, Term row);

}  // namespace vinculum::model
