#pragma once

#include "vinculum/equations/formulation.hpp"
#include "vinculum/motion/mode.hpp"

namespace vinculum::sim {

/// A configuration is near-singular if the conditioning of its rows is at most this value, or if a row is at most this
/// fraction of its typical length. Accelerations are then evaluated at the state projected onto the constraints.
/// Otherwise a state that violates the constraints by δ would have accelerations with an error of δ divided by the
/// conditioning, and the step control would reduce the step without end.
inline constexpr double kNearlyDependent = 0.02;

/// Number of derivatives after a near-singular configuration that are still evaluated at the projected state. Then all
/// stages of the next steps evaluate the same function, as the order conditions of a method assume.
inline constexpr int kCallsNearSingular = 40;

/// Result of the check of the rows after a step: nothing, rows that are short but independent, or nearly dependent
/// rows.
enum class Near { kNothing, kShortRows, kDependence };
/// Sets how accelerations are evaluated until the next call. If rows are nearly dependent or short, they are evaluated
/// at the projected state. If rows are only short, generated code is still used.
void set_near_singular(Mode& mode, Near what, equations::Formulation formulation);

}  // namespace vinculum::sim
