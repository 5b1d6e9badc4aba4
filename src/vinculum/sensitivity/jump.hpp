#pragma once

#include "vinculum/sensitivity/mode_equations.hpp"

namespace vinculum::sensitivity {

/// State and mode on one side of an instant.
struct Side {
  const Vector& y;
  const sim::Mode& mode;
};

/// Computes the derivatives S after an instant at which the mode or the state changes:
///
///   S⁺ = R_y S⁻ + R_p − (F⁺ − R_y F⁻ − R_t) τ_p,   τ_p = −(∇s·S⁻ + s_p) / (s_t + ∇s·F⁻)
///
/// τ is the instant, at which s(t, y, p) passes 0, and y⁺ = R(τ, y⁻, p).
/// \param S  [ny × quantities] before; receives the derivatives after   \param by_p  [parameters × quantities]
/// \returns kNotUnique if S⁺ does not exist, or if the map R is not one of those listed in docs/theory.md §11
[[nodiscard]] Outcome<void> jump(sim::Dynamics& dynamics, ModeFamily& family, double t, const Side& before,
                                 const Side& after, const Matrix& by_p, Matrix& S);

}  // namespace vinculum::sensitivity
