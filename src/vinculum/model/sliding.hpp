#pragma once

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Finds the friction contacts in a `nonideal` clause. The force of such a clause contains the direction of a velocity
/// v, written as unit(v), sign(v), v/norm(v) or v/|v|, and is linear in this direction. For each such v, the function
/// adds a Slide to the model. In `nonideal.what` it replaces the direction by an unknown s, so that the force is also
/// defined in stick, where v = 0. For a scalar v, s is a scalar (kSlideDirection); for a vector v, s is a vector with
/// unknown measure numbers along the newtonian x, y, z. A force that is not linear in the direction is not changed and
/// is undefined in stick.   Source: theory.md §4.6.
void hold_directions(Model& model, ConstraintId constraint, Nonideal& nonideal);

/// Finds friction in the loads of a complete model, such as `generalized force on q = -f*sign(q')`, a brake or a
/// clutch. Conditions, tested at random states:
/// * the force is linear in the direction s of a velocity v;
/// * its power is −g v·s with g ≥ 0;
/// * v is 0 if no coordinate moves, except for a part of v that depends on time alone (a belt).
///
/// Outputs and rates of states that contain the direction of such a v then use the unknown direction s too. Other loads
/// keep `sign` and `abs` as switching conditions (theory.md §10.1). So do all loads if the model has constraints for
/// which stick is not solved:
/// * constraints of acceleration level or above;
/// * constraints with rows under a law that is neither ideal nor has actuators.
void hold_friction_of_loads(Model& model);

/// The velocity v if the node is a direction: unit(v), sign(v), x/norm(v) or x/|v|; otherwise invalid.
[[nodiscard]] Term direction_taken(Term node);
/// Name of a friction contact in messages: its constraint, or its load ("force on P").
[[nodiscard]] std::string name_of(const Model& model, const Slide& slide);
/// Whether the term is of velocity level and contains neither reactions nor states.
[[nodiscard]] bool is_sliding_velocity(const Model& model, Term term);

}  // namespace vinculum::model
