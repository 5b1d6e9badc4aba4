#pragma once

#include <span>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/sim/plant/compiled_model.hpp"

namespace vinculum::sim {

/// Typical size of each coordinate [nq]: the largest magnitude in `q` over the coordinates of one dimension, but at
/// least a thousandth of the largest parameter of that dimension (of 1 in SI where there is none). Where its
/// declaration states one (Coordinate::scale): that.
[[nodiscard]] Vector coordinate_scale(const CompiledModel& compiled, const Vector& q);
/// The same with other values of the parameters.
[[nodiscard]] Vector coordinate_scale(const mechanics::Model& model, std::span<const double> values, const Vector& q);
/// The same without the thousandth: how far a coordinate may plausibly be from where it is. [nq]
[[nodiscard]] Vector coordinate_reach(const CompiledModel& compiled, const Vector& q);
/// Typical size of each speed [nu]: the largest magnitude in `u` over the speeds of one dimension; from rest what the
/// accelerations u_dot reach over one typical displacement, √(|u'| s); at least a thousandth of s / 1 s.
[[nodiscard]] Vector speed_scale(const CompiledModel& compiled, const Vector& u, const Vector& u_dot,
                                 const Vector& q_scale);

/// Typical size of each state [nz]: the largest magnitude in `z` over the states of one dimension, from zero what the
/// rate reaches in the time in which the motion covers its own size; at least 0.001 in SI.
[[nodiscard]] Vector state_scale(const CompiledModel& compiled, const Vector& z, const Vector& z_dot,
                                 const Vector& q_scale, const Vector& u_scale);

/// Components of y = (q, u, z) that are measured together: one group for each dimension of the coordinates, then one
/// for each of the speeds and of the states; a coordinate of a stated size by itself, and so its rate. [nq + nu + nz]
[[nodiscard]] std::vector<int> error_groups(const CompiledModel& compiled);

}  // namespace vinculum::sim
