#pragma once

#include <span>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/compiled/binding.hpp"
#include "vinculum/model/sizes.hpp"

/// Estimates typical magnitudes of the components of a motion from those of the model (model/sizes). They determine the
/// distance from a start within which states are searched, and the magnitudes by which residuals of rows are divided.
/// The error control of steps does not use them; it uses the current magnitude of each component
/// (integrate/error_norm).
namespace vinculum::sim {

using model::coordinate_reach;
using model::coordinate_scale;
using model::time_scale;
/// The functions of model/sizes with the same names, called with the parameter values of the binding.
[[nodiscard]] Vector coordinate_reach(const Binding& bound, const Vector& q);
[[nodiscard]] Vector coordinate_scale(const Binding& bound, const Vector& q);
/// Typical displacement along each speed [nu]. If the speed is the rate of a coordinate, this is the size of that
/// coordinate. Otherwise it is the size of the coordinates whose rates have the dimension of the speed. If there are
/// none, it is a value of that dimension formed from a typical mass, a length and the time of the run.
[[nodiscard]] Vector displacement_scale(const Binding& bound, const Vector& q_scale);
/// Largest plausible speeds [nu]: `speed_scale` for a motion from rest, but at least `q_reach` divided by the time of
/// the run.
[[nodiscard]] Vector speed_reach(const Binding& bound, const Vector& u, const Vector& q_reach);
/// Typical size of each speed [nu]: the largest of |u|, √(|u'| s) and s/(1000 T) among the speeds of the same
/// dimension, with the typical displacement s and the time T of the run. √(|u'| s) is about the speed that a motion
/// from rest with the acceleration u' reaches over the displacement s.
[[nodiscard]] Vector speed_scale(const Binding& bound, const Vector& u, const Vector& u_dot, const Vector& q_scale);

/// Plausible distance of each extra state from its value z [nz]: |z| or, if z is 0, a value of the dimension of z
/// formed from a typical mass, a length and the time of the run.
[[nodiscard]] Vector state_reach(const equations::System& system, std::span<const double> values, const Vector& q,
                                 const Vector& z);
/// Typical size of each extra state [nz]: the largest of |z| and |z'| T among the states of the same dimension, with T
/// the time in which coordinates at their typical speeds cover their typical sizes. If this is 0, a thousandth of
/// `state_reach`.
[[nodiscard]] Vector state_scale(const Binding& bound, const Vector& z, const Vector& z_dot, const Vector& q_scale,
                                 const Vector& u_scale);

/// A class number for each component [nq + nu + nz]. Coordinates of the same dimension have the same number; so have
/// speeds of the same dimension, and extra states of the same dimension.
[[nodiscard]] std::vector<int> kinds_of_components(const Binding& bound);
/// Typical sizes of all components [nq + nu + nz] before a motion is known: `coordinate_reach`, `speed_reach` and
/// `state_reach`.
[[nodiscard]] Vector stated_scale(const Binding& bound);
/// Size of φ or ψ for rows whose gradient vanishes [rows]: a value of the dimension of φ or ψ formed from a typical
/// mass, a length and the time of the run. \param level  kPosition: φ; kVelocity: ψ.
[[nodiscard]] Vector row_scale(const Binding& bound, const std::vector<int>& rows, model::Level level);

}  // namespace vinculum::sim
