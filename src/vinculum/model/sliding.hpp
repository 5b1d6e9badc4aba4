#pragma once

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Recognises friction along a direction of sliding in a `nonideal` clause: unit(v), sign(v), v/norm(v), v/|v| of a
/// velocity v, where the force is linear in that direction. Each v becomes a Slide of the model, and its direction in
/// `nonideal.what` measure numbers s of it (kSlideDirection; along x, y, z of the newtonian frame for a vector), so
/// that at rest the force is not without a value. A force that is not linear in a direction stays as it is: it states
/// nothing at rest. Source: theory.md §4.6.
void hold_directions(Model& model, ConstraintId constraint, Nonideal& nonideal);

/// The same in loads, of a complete model: a force that is linear in the direction of a velocity, conjugate to that
/// velocity (its power is −g v·s, g ≥ 0), of a velocity that is 0 where no coordinate moves, but for a drift with the
/// time alone (a belt): `generalized force on q = -f*sign(q')`, a brake, a clutch. Both are asked at random states.
/// What is shown, and the rates of states, then take the direction of such a velocity from friction as well. Loads that
/// are none of this, and those beside constraints that friction at rest is not solved with (of accelerations or above,
/// or under laws with momenta of their own), stay switches (theory.md §10.1).
void hold_friction_of_loads(Model& model);

/// The velocity whose direction this node takes: v of unit(v), sign(v), x/norm(v) and x/|v|; else not valid.
[[nodiscard]] Term direction_taken(Term node);
/// How messages name a friction contact: its constraint, or its load ("force on P").
[[nodiscard]] std::string name_of(const Model& model, const Slide& slide);
/// Whether the term is of velocity level, free of reactions and states.
[[nodiscard]] bool is_sliding_velocity(const Model& model, Term term);

}  // namespace vinculum::model
