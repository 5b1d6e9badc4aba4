#pragma once

#include <span>

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// By how much momenta ∂T/∂u jump where the motion passes from one side of the switches to another: what the time moves
/// (a carried point, a frame) starts or stops. The state answers with an impulse, M Δu − Aᵀp = −Δ(∂T/∂u), A Δu = −ψ.
/// \param beside  a state that rounding may have made of y: energies that differ by what they do on the way are the
/// same.
/// \param is_of_motion  whether coordinates or speeds are in the surface that is passed.
/// \returns [nu], empty where nothing can jump; kInconsistent where a place jumps, or at a surface of the motion a
/// potential: no motion follows; kNotUnique where partial velocities do (a fold that the coordinates hold), or at a
/// surface of the motion the kinetic energy or a Lagrangian: a force across the surface is in none of the equations.
/// Source: theory.md §10.2.   Law: kinks_test.cpp.
[[nodiscard]] Outcome<Vector> jump_of_momenta(const Binding& bound, double t, const Vector& y, const Vector& beside,
                                              std::span<const double> before, std::span<const double> after,
                                              bool is_of_motion);

/// What the terms of φ add up to in size on these sides, of each row of position level, else 0 [nc]: rounding of φ is
/// relative to it. Empty where no row switches.
[[nodiscard]] Vector terms_of_rows(const Binding& bound, double t, const Vector& y, std::span<const double> sides);

/// u at once behind that jump, before rows are met: M Δu − Aᵀp = −jump, A Δu = 0.
void add_impulse(Dynamics& dynamics, const Mode& mode, double t, const Vector& jump, Vector& y);

/// φ of `Structure::switched`, whether they act or not; 0 of rows that are of no position. [switched]
[[nodiscard]] Vector gaps_of_switched(Dynamics& dynamics, const Mode& mode, double t, const Vector& y);

/// Impulses p of the rows that make a jump of u: M Δu = Aᵀp, of least norm where rows depend on each other. [nc]
/// \param y  after the jump   \param before [nu] u before it   \returns as `ConstrainedSolve::factor`
[[nodiscard]] Outcome<Vector> impulses_of_jump(Dynamics& dynamics, const Mode& mode, double t, const Vector& y,
                                               ConstVector before);

}  // namespace vinculum::sim
