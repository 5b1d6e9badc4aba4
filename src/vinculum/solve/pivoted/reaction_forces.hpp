#pragma once

#include <optional>

#include "vinculum/solve/generated/motion.hpp"
#include "vinculum/solve/pivoted/friction.hpp"

namespace vinculum::solve {

/// Accelerations for C that depends on multipliers, as straight-line code (theory.md §4.2):
///
///   M u' = f + C(λ) + Aᵀλ,   A u' = b
///
/// With Λ(r_f, r_b) the multipliers of the linear problem, x = λ_ideal + Λ(C(x), 0) is solved for the few λ that occur
/// in C, by Newton's method with the exact ∂C/∂λ. Λ of these rows takes one solution per row, since K is symmetric.
/// Newton's method starts from λ_ideal = Λ(f, b), so that the answer is a function of the state alone. If the last
/// residual is more than rounding error, the guard `residual` refuses the solution, and FrictionSolve is used, which
/// searches for all answers.
///
/// \param structure  of all rows.  \param refinements  as in `acceleration`.
/// \returns nothing if rows depend on each other: λ is then not unique.   Test: solve/pivoted/reaction_forces_test.cpp.
[[nodiscard]] std::optional<Acceleration> reaction_force_acceleration(const equations::System& system,
                                                                      const ReactionDependence& dependence,
                                                                      const solve::StaticStructure& structure,
                                                                      int refinements);

/// Largest number of multipliers: the elimination among them is generated code as well.
inline constexpr std::size_t kMostWrittenMultipliers = 8;

}  // namespace vinculum::solve
