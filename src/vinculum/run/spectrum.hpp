#pragma once

#include <complex>
#include <optional>
#include <string>

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// The coordinate, speed or state that a component of y is, as its model names it.
[[nodiscard]] const std::string& component_name(const Binding& bound, int component);

/// The fastest way in which a neighbouring motion comes closer, parts or swings about this one.
struct FastestMode {
  std::complex<double> rate;  ///< [1/s] λ of δy' = ∂y'/∂y δy
  int component = 0;          ///< the largest of δy beside typical sizes
  std::string term;           ///< the load or constraint whose power the mode changes most, as tables name it; or none
  /// Whether it dies out sooner than it swings.
  [[nodiscard]] bool is_damped() const { return -rate.real() >= std::abs(rate.imag()); }
};

/// One pass: ∂y'/∂y by differences of what is in force at (t, y), its eigenvalues, and energies at states moved along
/// the mode. Looking changes nothing. \returns nothing where a rate is missing, or with more states than can be
/// analysed beside a run.   \pre scales are set.   \cost 2n evaluations, O(n³); derives equations once more.
[[nodiscard]] std::optional<FastestMode> fastest_mode(Dynamics& dynamics, const Mode& in, double t, const Vector& y);

}  // namespace vinculum::sim
