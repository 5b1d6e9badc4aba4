#pragma once

#include "vinculum/model/kinematic_tree.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// The same vector, constant in the solid, written in basis vectors that belong to the solid, so that inspection finds
/// its torque there (theory.md §5.2). Three kinds of vectors are resolved along the solid's own basis: vectors of other
/// solids of the same rigid frame, an axis about which the solid turns relative to the frame of that axis, and the
/// separation of two points of the solid. Other vectors stay unchanged.
/// \param solid  the frame that a body owns, or the newtonian one
[[nodiscard]] Term in_vectors_of(const Model& model, KinematicTree& tree, Term vector, FrameId solid);

/// The same vector written in the frame's own basis, as far as it is constant there: through constant rotations, or
/// rotations about the vector itself.
[[nodiscard]] Term in_basis_of(const Model& model, KinematicTree& tree, Term vector, FrameId frame);

}  // namespace vinculum::model
