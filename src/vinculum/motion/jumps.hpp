#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Computes the jump of the momenta ∂T/∂u at a switching surface, where a prescribed motion (of a carried point or a
/// frame) starts or stops. The speeds then change by an impulse: M Δu − Aᵀp = −Δ(∂T/∂u), A Δu = −ψ.
///
/// \param beside  the state y, changed by rounding errors. A jump counts only if it exceeds the difference between y
/// and this state.
/// \param before, after  the side of every switching surface (Switches) before and after the jump
/// \param is_of_motion  whether the surface depends on coordinates or speeds, not only on the time.
/// \returns [nu], empty if nothing can jump. kInconsistent, since no motion exists, if the position of a point jumps,
/// or if a potential jumps at a surface of coordinates or speeds. kNotUnique if partial velocities jump (a fold in the
/// choice of coordinates), or if the kinetic energy or a Lagrangian jumps at a surface of coordinates or speeds: the
/// equations do not contain the force at that surface.
/// Source: theory.md §10.2.
/// Test: kinks_test.cpp.
[[nodiscard]] Outcome<Vector> jump_of_momenta(const Binding& bound, double t, const Vector& y, const Vector& beside,
                                              std::span<const double> before, std::span<const double> after,
                                              bool is_of_motion);

/// Returns, for each row of position level, the sum of the absolute values of the terms of φ, with the switching
/// surfaces on these sides; 0 for other rows [nc]. Rounding errors of φ are relative to this sum. Empty if no row
/// contains a switching expression.
[[nodiscard]] Vector terms_of_rows(const Binding& bound, double t, const Vector& y, std::span<const double> sides);

/// Adds to u the effect of a jump of momenta without correcting constraint violations: M Δu − Aᵀp = −jump, A Δu = 0.
/// \param jump [nu]  from `jump_of_momenta`
void add_impulse(Dynamics& dynamics, const Mode& mode, double t, const Vector& jump, Vector& y);

/// [nc] Whether each row acts in a mode (a row with `when` acts only while its condition is true).
[[nodiscard]] std::vector<char> acting_rows(Dynamics& dynamics, const Mode& mode);

/// Evaluates φ of the rows in `Structure::switched`, also of rows that do not act; 0 for rows without a φ [switched].
[[nodiscard]] Vector gaps_of_switched(Dynamics& dynamics, const Mode& mode, double t, const Vector& y);

/// Checks whether the direction of an impulse is determined. If rows are not linear in the speeds, A changes with u.
/// The impulse is then undetermined if M Δu = Aᵀp has different solutions with A before and with A after the jump.
/// \param y_before, y  states before and after the jump
/// \returns the failure kNotUnique if the impulse is undetermined.
[[nodiscard]] std::optional<Failure> direction_of_jump(Dynamics& dynamics, const Mode& mode, double t,
                                                       const Vector& y_before, const Vector& y);

/// Computes the impulses p of the rows that cause a jump of u: M Δu = Aᵀp [nc]. If rows depend on each other, p has the
/// least norm.
/// \param y  state after the jump
/// \param before [nu]  u before the jump
/// \returns the failures of `ConstrainedSolve::factor`
[[nodiscard]] Outcome<Vector> impulses_of_jump(Dynamics& dynamics, const Mode& mode, double t, const Vector& y,
                                               ConstVector before);

}  // namespace vinculum::sim
