#pragma once

#include <span>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/compiled/binding.hpp"
#include "vinculum/model/sizes.hpp"

/// Typical sizes along a motion, from those that the text states (model/sizes): how far to look around a start,
/// what a row is measured by. The errors of a step are not measured by these but by each component's own size
/// (integrate/error_norm).
namespace vinculum::sim {

using model::coordinate_reach;
using model::coordinate_scale;
using model::time_scale;
/// With the values of the compiled model.
[[nodiscard]] Vector coordinate_reach(const Binding& bound, const Vector& q);
[[nodiscard]] Vector coordinate_scale(const Binding& bound, const Vector& q);
/// What each speed goes through [nu]: the size of its coordinate, where it is no coordinate's rate of those whose rates
/// have its dimension; what a mass, a length and the time of the run make where there are none.
[[nodiscard]] Vector displacement_scale(const Binding& bound, const Vector& q_scale);
/// How fast the motion may plausibly be [nu]: as `speed_scale` from rest, at least through `q_reach` in the time of a
/// run.
[[nodiscard]] Vector speed_reach(const Binding& bound, const Vector& u, const Vector& q_reach);
/// Typical size of each speed [nu]: the largest magnitude in `u` over the speeds of one dimension; from rest what the
/// accelerations u_dot reach over one typical displacement, √(|u'| s); at least a thousandth of s in the time of a run.
[[nodiscard]] Vector speed_scale(const Binding& bound, const Vector& u, const Vector& u_dot, const Vector& q_scale);

/// How far a state may plausibly be from where it is [nz]: its own magnitude, or what a mass, a length and the time of
/// the run make of its dimension.
[[nodiscard]] Vector state_reach(const equations::System& system, std::span<const double> values, const Vector& q,
                                 const Vector& z);
/// Typical size of each state [nz]: the largest magnitude in `z` over the states of one dimension, from zero what the
/// rate reaches in the time in which the motion covers its own size; of states that are and stay 0 a
/// thousandth of their reach.
[[nodiscard]] Vector state_scale(const Binding& bound, const Vector& z, const Vector& z_dot, const Vector& q_scale,
                                 const Vector& u_scale);

/// Numbers of the kinds of components [nq + nu + nz]: coordinates, speeds and states of one dimension each.
[[nodiscard]] std::vector<int> kinds_of_components(const Binding& bound);
/// Sizes of all components before any motion is known [nq + nu + nz]: how far and how fast one may plausibly be.
[[nodiscard]] Vector stated_scale(const Binding& bound);
/// What stands for the size of a row that has no gradient [rows]: a mass, a length and the time of the run, in its
/// dimension. \param level  of φ or ψ.
[[nodiscard]] Vector row_scale(const Binding& bound, const std::vector<int>& rows, model::Level level);

}  // namespace vinculum::sim
