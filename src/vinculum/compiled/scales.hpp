#pragma once

#include <span>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/compiled/binding.hpp"
#include "vinculum/model/sizes.hpp"

/// Typical sizes along a motion, from the sizes that the model states (model/sizes): how far around a start to search,
/// and relative to what to measure a row. The error control of steps uses the current size of each component instead
/// (integrate/error_norm).
namespace vinculum::sim {

using model::coordinate_reach;
using model::coordinate_scale;
using model::time_scale;
/// The same functions with the parameter values of the binding.
[[nodiscard]] Vector coordinate_reach(const Binding& bound, const Vector& q);
[[nodiscard]] Vector coordinate_scale(const Binding& bound, const Vector& q);
/// Typical displacement of each speed [nu]: the size of its coordinate if it is the rate of one; otherwise the size of
/// the coordinates whose rates have its dimension; if there are none, a value made of a mass, a length and the time of
/// the run.
[[nodiscard]] Vector displacement_scale(const Binding& bound, const Vector& q_scale);
/// Largest plausible speeds [nu]: `speed_scale` from rest, but at least `q_reach` divided by the time of a run.
[[nodiscard]] Vector speed_reach(const Binding& bound, const Vector& u, const Vector& q_reach);
/// Typical size of each speed [nu]: the largest of |u|, √(|u'| s) and s/1000 divided by the time of a run, among the
/// speeds of one dimension. √(|u'| s) is the speed that the acceleration u_dot reaches over one typical displacement s.
[[nodiscard]] Vector speed_scale(const Binding& bound, const Vector& u, const Vector& u_dot, const Vector& q_scale);

/// How far each state may plausibly be from its value [nz]: its own magnitude, or a value of its dimension made of a
/// mass, a length and the time of the run.
[[nodiscard]] Vector state_reach(const equations::System& system, std::span<const double> values, const Vector& q,
                                 const Vector& z);
/// Typical size of each state [nz]: the larger of |z| and |z'| T, at its maximum among the states of one dimension. T
/// is the time in which the motion covers its own size. For states for which this is 0, a thousandth of their reach.
[[nodiscard]] Vector state_scale(const Binding& bound, const Vector& z, const Vector& z_dot, const Vector& q_scale,
                                 const Vector& u_scale);

/// Class of each component [nq + nu + nz]: coordinates, speeds or states of the same dimension have the same number.
[[nodiscard]] std::vector<int> kinds_of_components(const Binding& bound);
/// Sizes of all components before a motion is known [nq + nu + nz]: plausible distances and speeds.
[[nodiscard]] Vector stated_scale(const Binding& bound);
/// Size for rows without gradient [rows]: a value of the row's dimension made of a mass, a length and the time of the
/// run. \param level  level at which the rows are taken: φ or ψ.
[[nodiscard]] Vector row_scale(const Binding& bound, const std::vector<int>& rows, model::Level level);

}  // namespace vinculum::sim
