#pragma once

#include <span>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/sim/plant/compiled_model.hpp"

/// Typical sizes of whole dimensions, out of what the text says: how far to look around a start, what a row is measured
/// by. No unit enters: a model restated in other units has the same sizes in them. The errors of a step are not
/// measured by these but by each component's own size (integrate/error_norm).
namespace vinculum::sim {

/// The length of the run that the text states, 1 s where it states none: the time in which things happen. [s]
[[nodiscard]] double time_scale(const mechanics::Model& model);

/// How far a coordinate may plausibly be from where it is [nq]: the `scale` that it states, or the largest magnitude in
/// `q` and among the parameters of its dimension. Angles and other ratios have at least 1; where the text has
/// no number of that dimension it is made of a mass and a length of the model and the time of its run (1 in SI for one
/// that is not there).
[[nodiscard]] Vector coordinate_reach(const CompiledModel& compiled, const Vector& q);
/// The same with other values of the parameters.
[[nodiscard]] Vector coordinate_reach(const mechanics::Model& model, std::span<const double> values, const Vector& q);
/// Typical size of each coordinate [nq]: the largest magnitude in `q` over the coordinates of one dimension, but at
/// least a thousandth of its reach.
[[nodiscard]] Vector coordinate_scale(const CompiledModel& compiled, const Vector& q);
[[nodiscard]] Vector coordinate_scale(const mechanics::Model& model, std::span<const double> values, const Vector& q);
/// Typical size of each speed [nu]: the largest magnitude in `u` over the speeds of one dimension; from rest what the
/// accelerations u_dot reach over one typical displacement, √(|u'| s); at least a thousandth of s in the time of a run.
[[nodiscard]] Vector speed_scale(const CompiledModel& compiled, const Vector& u, const Vector& u_dot,
                                 const Vector& q_scale);

/// How far a state may plausibly be from where it is [nz]: its own magnitude, or what a mass, a length and the time of
/// the run make of its dimension.
[[nodiscard]] Vector state_reach(const dynamics::System& system, std::span<const double> values, const Vector& q,
                                 const Vector& z);
/// Typical size of each state [nz]: the largest magnitude in `z` over the states of one dimension, from zero what the
/// rate reaches in the time in which the motion covers its own size; of states that are and stay 0 a
/// thousandth of their reach.
[[nodiscard]] Vector state_scale(const CompiledModel& compiled, const Vector& z, const Vector& z_dot,
                                 const Vector& q_scale, const Vector& u_scale);

}  // namespace vinculum::sim
