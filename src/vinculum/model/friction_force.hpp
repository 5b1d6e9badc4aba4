#pragma once

#include "vinculum/model/joint.hpp"

/// Forces of dry friction, as the clauses and statements `friction` define them.
namespace vinculum::model {

struct FrictionCoefficients {
  Term mu;       ///< [1] ≥ 0
  Term at_rest;  ///< [1] ≥ 0, static coefficient; invalid: equal to `mu`
};

/// Coulomb friction −μ N v/|v| of a constraint.
/// \param sliding  the points, with the sliding velocity v [m/s] in the member `force`
/// \param normal   magnitude N ≥ 0 of the normal force [N]
[[nodiscard]] Nonideal coulomb_friction(ForceOn sliding, Term normal, const FrictionCoefficients& coefficients,
                                        SourceRange range = {});

/// Dry friction of a joint with one degree of freedom, of a given bound: a torque (`revolute`, `screw`) or a force
/// between its two bodies along its motion.
/// \param bound, at_rest, viscous  as in `friction_on_coordinate`
[[nodiscard]] Nonideal friction_of_joint(const JointSpec& joint, Term bound, Term at_rest, Term viscous,
                                         SourceRange range = {});

/// Friction on a coordinate, −bound·sign(q') − viscous·q'.
/// \param bound    [N] or [N m], ≥ 0
/// \param at_rest  static bound; invalid: equal to `bound`
/// \param viscous  [N s/m] or [N m s], ≥ 0; invalid: 0
[[nodiscard]] Load friction_on_coordinate(TermPool& pool, CoordinateId coordinate, Term bound, Term at_rest,
                                          Term viscous, SourceRange range = {});

}  // namespace vinculum::model
