#pragma once

#include <complex>
#include <optional>
#include <string>

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Returns the name of the coordinate, speed or state with this index in y.
[[nodiscard]] const std::string& component_name(const Binding& bound, int component);

/// The eigenmode with the largest |λ| of the motion linearized about a state.
struct FastestMode {
  std::complex<double> rate;  ///< [1/s] eigenvalue λ of δy' = ∂y'/∂y δy
  int component = 0;          ///< component of y with the largest δy relative to its typical magnitude
  std::string term;  ///< load or constraint whose power changes most along the mode, as named in tables; may be empty
  /// Whether the mode decays faster than it oscillates.
  [[nodiscard]] bool is_damped() const { return -rate.real() >= std::abs(rate.imag()); }
};

/// Computes the Jacobian ∂y'/∂y by differences at (t, y) in the mode `in`, its eigenvalues, and the powers at states
/// displaced along the eigenvector. Has no side effects.
/// \returns nothing if a rate cannot be evaluated, or if there are more than 400 states.
/// \pre the typical magnitudes (scales) of the state are set
/// \cost 2n evaluations, O(n³); derives the equations once more.
[[nodiscard]] std::optional<FastestMode> fastest_mode(Dynamics& dynamics, const Mode& in, double t, const Vector& y);

}  // namespace vinculum::sim
