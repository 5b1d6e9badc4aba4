#pragma once

#include <set>

#include "vinculum/model/calculus.hpp"
#include "vinculum/model/kinematic_tree.hpp"

namespace vinculum::model {

/// Variant of `expand_massless` of calculus.hpp with two changes. Positions of the points in `through` are expanded
/// even if a force can act there. Points in `kept` are not expanded even if they have no mass.
[[nodiscard]] Term expand_massless(const Model& model, Term term, const std::set<PointId>& through,
                                   const std::set<PointId>& kept = {});

/// The point of the frame's body that by definition coincides with `point`; nothing if there is no such point.
[[nodiscard]] std::optional<PointId> coincident_point(const Model& model, KinematicTree& tree, PointId point,
                                                      FrameId frame);

/// Replaces velocities, accelerations, angular velocities and angular accelerations that are seen in moving frames by
/// those seen in the newtonian frame.
[[nodiscard]] Term seen_in_newtonian(const Model& model, Term root);

/// Rewrites a row so that it contains only positions and velocities of particles and of points fixed in solids (bodies
/// or the ground), and vectors of solids. The velocity of a point that moves over a solid becomes the velocity of the
/// material point of the solid at the same place.
[[nodiscard]] Term in_places_of_matter(const Model& model, Term row);

}  // namespace vinculum::model
