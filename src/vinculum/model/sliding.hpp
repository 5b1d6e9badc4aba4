#pragma once

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Finds friction in a `nonideal` clause: unit(v), sign(v), v/norm(v), v/|v| of a velocity v, if the force is linear in
/// that direction. Each v becomes a Slide of the model, and its direction in `nonideal.what` becomes the unknown
/// measure numbers s (kSlideDirection; along x, y, z of the newtonian frame for a vector), so that the force is defined
/// in stick as well. A force that is not linear in a direction stays unchanged and is undefined in stick. Source:
/// theory.md §4.6.
void hold_directions(Model& model, ConstraintId constraint, Nonideal& nonideal);

/// Finds friction in the loads of a complete model: `generalized force on q = -f*sign(q')`, a brake, a clutch.
/// Conditions, tested at random states:
/// * the force is linear in the direction s of a velocity v;
/// * its power is −g v·s with g ≥ 0;
/// * v is 0 if no coordinate moves, except for a drift with time alone (a belt).
/// Outputs and rates of states then also take the direction of such a velocity from friction. Other loads stay switches
/// (theory.md §10.1). So do loads in combination with constraints for which stick is not solved: constraints of
/// acceleration level or above, and constraints under laws with momenta of their own.
void hold_friction_of_loads(Model& model);

/// The velocity v whose direction the node is: unit(v), sign(v), x/norm(v) or x/|v|; otherwise invalid.
[[nodiscard]] Term direction_taken(Term node);
/// Name of a friction contact in messages: its constraint, or its load ("force on P").
[[nodiscard]] std::string name_of(const Model& model, const Slide& slide);
/// Whether the term is of velocity level and contains no reactions and states.
[[nodiscard]] bool is_sliding_velocity(const Model& model, Term term);

}  // namespace vinculum::model
