#pragma once

#include "vinculum/model/kinematic_tree.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Rewrites a vector that is constant in the solid in basis vectors that belong to the solid, so that inspection finds
/// its torque on that solid (theory.md §5.2). Three kinds of vectors are rewritten:
/// * vectors of other solids of the same rigid frame;
/// * an axis about which the solid turns relative to the frame of that axis;
/// * the separation of two points of the solid.
///
/// Other vectors are returned unchanged.
/// \param solid  the frame that a body owns, or the newtonian one
[[nodiscard]] Term in_vectors_of(const Model& model, KinematicTree& tree, Term vector, FrameId solid);

/// Rewrites a vector in the frame's own basis as far as it is constant there, that is, through constant rotations or
/// rotations about the vector itself.
[[nodiscard]] Term in_basis_of(const Model& model, KinematicTree& tree, Term vector, FrameId frame);

}  // namespace vinculum::model
