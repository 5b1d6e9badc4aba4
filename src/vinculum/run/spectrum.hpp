#pragma once

#include <complex>
#include <optional>
#include <string>

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Name of the coordinate, speed or state that is a component of y.
[[nodiscard]] const std::string& component_name(const Binding& bound, int component);

/// The eigenmode of largest |λ| of the linearized motion near a state.
struct FastestMode {
  std::complex<double> rate;  ///< [1/s] eigenvalue λ of δy' = ∂y'/∂y δy
  int component = 0;          ///< the component with the largest δy relative to typical sizes
  std::string term;  ///< load or constraint whose power the mode changes most, with the name used in tables; may be
                     ///< empty
  /// Whether the mode decays faster than it oscillates.
  [[nodiscard]] bool is_damped() const { return -rate.real() >= std::abs(rate.imag()); }
};

/// Computes ∂y'/∂y by differences in a mode at (t, y), its eigenvalues, and powers at states displaced along the
/// eigenvector. Changes nothing.
/// \returns nothing if a rate is missing, or with more than 400 states.
/// \pre the scales are set
/// \cost 2n evaluations, O(n³); derives the equations once more.
[[nodiscard]] std::optional<FastestMode> fastest_mode(Dynamics& dynamics, const Mode& in, double t, const Vector& y);

}  // namespace vinculum::sim
