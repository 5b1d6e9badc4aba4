#pragma once

#include "vinculum/mechanics/model.hpp"

namespace vinculum::mechanics {

/// Recognises friction along a direction of sliding in a `nonideal` clause: unit(v), sign(v), v/norm(v), v/|v| of a
/// velocity v, where the force is linear in that direction. Each v becomes a Slide of the model, and its direction in
/// `nonideal.what` measure numbers s of it (kSlideDirection; along x, y, z of the newtonian frame for a vector), so
/// that at rest the force is not without a value. A force that is not linear in a direction stays as it is: it states
/// nothing at rest. Source: theory.md §4.6.
void hold_directions(Model& model, ConstraintId constraint, Nonideal& nonideal);

/// The velocity whose direction this node takes: v of unit(v), sign(v), x/norm(v) and x/|v|; else not valid.
[[nodiscard]] Term direction_taken(Term node);
/// Whether the term is of velocity level, free of reactions and states.
[[nodiscard]] bool is_sliding_velocity(const Model& model, Term term);

}  // namespace vinculum::mechanics
