#pragma once

#include <optional>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// Why q' = G u + g is not finite at a state, where the fault lies with the definitions u = Y q' + y0 of the speeds:
/// they are finite there, and Y is singular. Nothing where G and g are finite or a term of a definition is not.
/// \param y [q, u]
/// \returns kSingularKinematics with the speed that depends on the others most and the coordinates whose q' is left
/// open.
/// \param tol_rank  0: where G or g is not finite only; else wherever Y, its rows of unit length, is singular to this
/// tolerance. For explanations: derives the definitions anew.
[[nodiscard]] std::optional<Failure> explain_singular_kinematics(const Binding& bound, double t, const double* y,
                                                                 double tol_rank = 0.0);
/// That the accelerations of these speeds are left open because they are rates of angles of frames that turn about one
/// axis here (gimbal lock): kSingularKinematics with the coordinates; nothing otherwise, as where one of them has no
/// inertia by itself.   \param y [q, …]   \param M [nu×nu]
[[nodiscard]] std::optional<Failure> explain_undetermined_angles(const Binding& bound, const std::vector<int>& speeds,
                                                                 double t, const double* y, ConstMatrix M);
/// That M is all but singular here because angles of frames turn about one axis (gimbal lock): kSingularKinematics with
/// these coordinates; nothing otherwise.  \param y [q, …]  \param M [nu×nu]
[[nodiscard]] std::optional<Failure> explain_lost_inertia(const Binding& bound, double t, const double* y,
                                                          ConstMatrix M);

/// Rows whose laws make M indefinite, for messages.
[[nodiscard]] std::vector<int> rows_with_inertia(const equations::System& system);

}  // namespace vinculum::sim
