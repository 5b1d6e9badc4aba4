#pragma once

#include <optional>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// Explains why q' = G u + g is not finite at a state. An explanation exists only if the definitions u = Y q' + y0 of
/// the speeds are finite but Y is singular. Derives the definitions again, which is slow, so use it for messages only.
/// \param y [q, u]
/// \param tol_rank  0: explains only if G or g is not finite. > 0: explains whenever Y, with rows of unit length, is
/// singular to this relative tolerance.
/// \returns kSingularKinematics with the speed that has the largest coefficient in the dependence of the rows of Y, and
/// the coordinates whose q' is undetermined. Nothing if a term of a definition is not finite, or if Y is regular.
[[nodiscard]] std::optional<Failure> explain_singular_kinematics(const Binding& bound, double t, const double* y,
                                                                 double tol_rank = 0.0);
/// Explains undetermined accelerations of these speeds by gimbal lock: the speeds are rates of angles of successive
/// frames whose axes of rotation coincide at this state.
/// \param y [q, …]
/// \param M [nu×nu]
/// \returns kSingularKinematics with the coordinates; nothing otherwise, for example if one of the speeds has no
/// inertia of its own.
[[nodiscard]] std::optional<Failure> explain_undetermined_angles(const Binding& bound, const std::vector<int>& speeds,
                                                                 double t, const double* y, ConstMatrix M);
/// Explains an almost singular M by gimbal lock: the axes of rotation of successive frames coincide at this state.
/// \param y [q, …]
/// \param M [nu×nu]
/// \returns kSingularKinematics with the coordinates that are the angles of these frames; nothing otherwise.
[[nodiscard]] std::optional<Failure> explain_lost_inertia(const Binding& bound, double t, const double* y,
                                                          ConstMatrix M);

/// Indices of the rows whose reaction laws add to M and so may make M indefinite. For messages.
[[nodiscard]] std::vector<int> rows_with_inertia(const equations::System& system);

}  // namespace vinculum::sim
