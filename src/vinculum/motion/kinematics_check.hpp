#pragma once

#include <optional>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// Explains why q' = G u + g is not finite at a state if the cause is the definitions u = Y q' + y0 of the speeds: they
/// are finite there, and Y is singular. Derives the definitions anew, so it is for messages only.
/// \param y [q, u]
/// \param tol_rank  0: only if G or g is not finite. > 0: whenever Y, with rows of unit length, is singular to this
/// tolerance.
/// \returns kSingularKinematics with the speed that takes the largest part in the dependence and the coordinates whose
/// q' is undetermined; nothing if G and g are finite or a term of a definition is not.
[[nodiscard]] std::optional<Failure> explain_singular_kinematics(const Binding& bound, double t, const double* y,
                                                                 double tol_rank = 0.0);
/// Explains undetermined accelerations of these speeds by gimbal lock: they are rates of angles of frames that turn
/// about one axis here.
/// \param y [q, …]
/// \param M [nu×nu]
/// \returns kSingularKinematics with the coordinates; nothing otherwise, for example if one of the speeds has no
/// inertia of its own.
[[nodiscard]] std::optional<Failure> explain_undetermined_angles(const Binding& bound, const std::vector<int>& speeds,
                                                                 double t, const double* y, ConstMatrix M);
/// Explains an almost singular M by gimbal lock: angles of frames turn about one axis here.
/// \param y [q, …]
/// \param M [nu×nu]
/// \returns kSingularKinematics with these coordinates; nothing otherwise.
[[nodiscard]] std::optional<Failure> explain_lost_inertia(const Binding& bound, double t, const double* y,
                                                          ConstMatrix M);

/// Rows whose reaction laws add to M and so may make it indefinite. For messages.
[[nodiscard]] std::vector<int> rows_with_inertia(const equations::System& system);

}  // namespace vinculum::sim
