#pragma once

#include "vinculum/equations/formulation.hpp"
#include "vinculum/motion/mode.hpp"

namespace vinculum::sim {

/// Where rows are this close to dependent, or a row this short beside its usual length, accelerations are taken on the
/// constraint manifold: off it by δ they err by δ over the conditioning, which step control would chase into the
/// singular pose.
inline constexpr double kNearlyDependent = 0.02;

/// Accelerations at the calls that follow a pose close to singular are taken on the constraints: all stages of the next
/// steps alike, as the order conditions want one function.
inline constexpr int kCallsNearSingular = 40;

/// What a look at the rows after a step has found.
enum class Near { kNothing, kShortRows, kDependence };
/// The mode in which accelerations are taken on the constraints until told otherwise, as rows are close to dependent on
/// others, or short; with short rows alone by generated code.
void set_near_singular(Mode& mode, Near what, equations::Formulation formulation);

}  // namespace vinculum::sim
