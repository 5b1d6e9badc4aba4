#pragma once

#include "vinculum/equations/formulation.hpp"
#include "vinculum/motion/mode.hpp"

namespace vinculum::sim {

/// Near-singular configurations: the rows have at most this conditioning, or a row is at most this part of its typical
/// length. There accelerations are evaluated on the constraint manifold. At a distance δ from it their error is δ
/// divided by the conditioning, and the step control would reduce the step without end.
inline constexpr double kNearlyDependent = 0.02;

/// Number of derivatives, after a near-singular configuration, that are evaluated on the constraints. All stages of the
/// next steps are treated alike, since the order conditions of a method assume one function.
inline constexpr int kCallsNearSingular = 40;

/// What the examination of the rows after a step has found.
enum class Near { kNothing, kShortRows, kDependence };
/// Has accelerations evaluated on the constraints until the next call, if rows are nearly dependent or short. If rows
/// are only short, generated code is still used.
void set_near_singular(Mode& mode, Near what, equations::Formulation formulation);

}  // namespace vinculum::sim
