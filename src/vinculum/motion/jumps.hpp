#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Jump of the momenta ∂T/∂u at a switching surface: something that the time moves (a carried point, a frame) starts or
/// stops. The speeds then change by an impulse: M Δu − Aᵀp = −Δ(∂T/∂u), A Δu = −ψ.
/// \param beside  the state y changed by rounding errors. Jumps are compared with the change that this causes.
/// \param before, after  sides of all surfaces
/// \param is_of_motion  whether the surface depends on coordinates or speeds, not only on the time.
/// \returns [nu], empty if nothing can jump. kInconsistent, since no motion exists, if a place jumps, or a potential at
/// a surface of coordinates or speeds. kNotUnique if partial velocities jump (a fold in the choice of coordinates), or
/// the kinetic energy or a Lagrangian at a surface of coordinates or speeds: the equations do not contain the force
/// across it.
/// Source: theory.md §10.2.
/// Test: kinks_test.cpp.
[[nodiscard]] Outcome<Vector> jump_of_momenta(const Binding& bound, double t, const Vector& y, const Vector& beside,
                                              std::span<const double> before, std::span<const double> after,
                                              bool is_of_motion);

/// Sum of the absolute values of the terms of φ on these sides, for rows of position level, else 0 [nc]. Rounding
/// errors of φ are relative to it. Empty if no row switches.
[[nodiscard]] Vector terms_of_rows(const Binding& bound, double t, const Vector& y, std::span<const double> sides);

/// Adds to u the immediate effect of that jump, before the constraints are met: M Δu − Aᵀp = −jump, A Δu = 0.
void add_impulse(Dynamics& dynamics, const Mode& mode, double t, const Vector& jump, Vector& y);

/// [nc] Whether each row acts in a mode.
[[nodiscard]] std::vector<char> acting_rows(Dynamics& dynamics, const Mode& mode);

/// φ of the rows in `Structure::switched`, whether they act or not; 0 for rows without a φ [switched].
[[nodiscard]] Vector gaps_of_switched(Dynamics& dynamics, const Mode& mode, double t, const Vector& y);

/// Rows that are not linear in the speeds leave an impulse undetermined if their gradient turns with it: M Δu = Aᵀp
/// then has another solution with A before the jump than with A after it.
/// \param y_before, y  states before and after the jump
/// \returns the failure kNotUnique if this is so.
[[nodiscard]] std::optional<Failure> direction_of_jump(Dynamics& dynamics, const Mode& mode, double t,
                                                       const Vector& y_before, const Vector& y);

/// Impulses p of the rows that cause a jump of u: M Δu = Aᵀp, of least norm if rows depend on each other [nc].
/// \param y  state after the jump
/// \param before [nu]  u before it
/// \returns as `ConstrainedSolve::factor`
[[nodiscard]] Outcome<Vector> impulses_of_jump(Dynamics& dynamics, const Mode& mode, double t, const Vector& y,
                                               ConstVector before);

}  // namespace vinculum::sim
