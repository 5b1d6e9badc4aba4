#pragma once

#include "vinculum/solve/constrained_solve.hpp"

namespace vinculum::laws {

/// Motion and constraint forces at one state (theory.md §3, §4):
///
///   M u' = f + Qi + Qni,   Qc = Qi + Qni = C + Aᵀλ,   Qi = Aᵀ λ_ideal
struct Reaction {
  Vector u_dot;           ///< [nu]
  Vector lambda;          ///< [nc] the actual multipliers, minimum norm in row-equilibrated units
  Vector lambda_ideal;    ///< [nc] multipliers of the same state with C = 0
  Vector Q_ideal;         ///< [nu]
  Vector Q_nonideal;      ///< [nu] Qc − Qi: not C
  Vector Q_c;             ///< [nu]
};

/// Reactions of ideal constraints with one factor and one right-hand side.
/// \param solve  holds the factor of (M, A).  \returns or why the rows contradict each other.
/// Source: [UK] eqs. 24, 32; theory.md §3.1.
[[nodiscard]] Outcome<void> ideal_reaction(solve::ConstrainedSolve& solve, ConstVector f, ConstVector b, Reaction& reaction);

/// Reactions where non-ideal constraints add C: the ideal solve with f and with f + C, one factor, two right-hand sides.
/// Source: [UK] eqs. 37–39; theory.md §4.1, 4.2.   Second route: laws/nonideal_test.cpp ([UK] by matrix square roots).
[[nodiscard]] Outcome<void> nonideal_reaction(solve::ConstrainedSolve& solve, ConstVector f, ConstVector C, ConstVector b,
                                              Reaction& reaction);

}  // namespace vinculum::laws
