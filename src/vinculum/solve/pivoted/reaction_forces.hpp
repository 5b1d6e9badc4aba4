#pragma once

#include <optional>

#include "vinculum/solve/generated/motion.hpp"
#include "vinculum/solve/pivoted/friction.hpp"

namespace vinculum::solve {

/// Accelerations for a force C that depends on multipliers, as generated code (theory.md §4.2):
///
///   M u' = f + C(λ) + Aᵀλ,   A u' = b
///
/// Let Λ(r_f, r_b) be the multipliers of the linear problem, and x the few multipliers that occur in C. Newton's method
/// with the exact ∂C/∂λ solves x = λ_ideal + Λ(C(x), 0). One solution of the linear problem per such multiplier
/// gives Λ for these rows, because the matrix of the linear problem is symmetric. Newton's method starts from λ_ideal =
/// Λ(f, b), so the result is a function of the state alone. If the last residual is more than rounding error, the guard
/// `residual` refuses the solution. FrictionSolve is then used, which searches for all solutions.
///
/// \param structure  structure of all rows.  \param refinements  see `acceleration`.
/// \returns nothing if rows depend on each other, because λ is then not unique.   Test:
/// solve/pivoted/reaction_forces_test.cpp.
[[nodiscard]] std::optional<Acceleration> reaction_force_acceleration(const equations::System& system,
                                                                      const ReactionDependence& dependence,
                                                                      const solve::StaticStructure& structure,
                                                                      int refinements);

/// Largest number of multipliers for which code is generated. The code contains the elimination of a matrix of this
/// size.
inline constexpr std::size_t kMostWrittenMultipliers = 8;

}  // namespace vinculum::solve
