#pragma once

#include <optional>

#include "vinculum/solve/generated/motion.hpp"
#include "vinculum/solve/pivoted/friction.hpp"

namespace vinculum::solve {

/// Accelerations where C holds multipliers, written out as straight-line code (theory.md §4.2):
///
///   M u' = f + C(λ) + Aᵀλ,   A u' = b
///
/// With Λ(r_f, r_b) the multipliers of the linear problem, x = λ_ideal + Λ(C(x), 0) of the few λ that C holds is solved
/// by Newton's method with the exact ∂C/∂λ: Λ of these rows follows from one solve a row, since K is symmetric. It
/// starts from λ_ideal = Λ(f, b), so that the answer is a function of the state alone. Where the last miss is not
/// rounding the guard `residual` refuses it, and FrictionSolve decides, which looks for all answers.
///
/// \param structure  of all rows.  \param refinements  as in `acceleration`.
/// \returns nothing where rows depend on each other: what λ is then is a choice.   Law:
/// solve/pivoted/reaction_forces_test.cpp.
[[nodiscard]] std::optional<Acceleration> reaction_force_acceleration(const equations::System& system,
                                                                      const ReactionDependence& dependence,
                                                                      const solve::StaticStructure& structure,
                                                                      int refinements);

/// Of how many multipliers at most: the elimination among them is written out as well.
inline constexpr std::size_t kMostWrittenMultipliers = 8;

}  // namespace vinculum::solve
