#pragma once

#include "vinculum/solve/pivoted/constrained_solve.hpp"

namespace vinculum::solve {

/// Motion and constraint forces at one state (theory.md §3, §4):
///
///   M u' = f + Qi + Qni,   Qc = Qi + Qni = C + Aᵀλ,   Qi = Aᵀ λ_ideal
///
/// For rows of servo constraints (theory.md §6.9) λ is the effort under `law directed` and 0 under `via`; Γᵀe replaces
/// Aᵀλ for these rows. The ideal part Qi is the reaction that the same efforts and rows would exert with C = 0.
struct Reaction {
  solve::Solution total;  ///< u', actual λ (of least norm for rows of unit length), Aᵀλ
  solve::Solution ideal;  ///< solution at the same state with C = 0: λ_ideal, and Qi = Aᵀ λ_ideal as `ideal.Q`
  Vector Q_nonideal;      ///< [nu] Qni = Qc − Qi; in general it differs from C
  Vector Q_c;             ///< [nu] C + Aᵀλ = M u' − f; with Γᵀe instead of Aᵀλ for servo constraints
  Vector effort = {};     ///< [efforts] efforts e of theory.md §6.9

  [[nodiscard]] const Vector& u_dot() const { return total.u; }
  [[nodiscard]] const Vector& lambda() const { return total.lambda; }
  [[nodiscard]] const Vector& lambda_ideal() const { return ideal.lambda; }
  [[nodiscard]] const Vector& Q_ideal() const { return ideal.Q; }
};

/// Computes the reactions with C and without C. Both follow from the ideal problem with one factor and two right-hand
/// sides, f and f + C.
/// \param solve  (force [nu], found) → Outcome<void>: accelerations and multipliers under this force.
/// \returns the failures of `solve`.
/// Source: [UK] eqs. 24, 32, 37–39; theory.md §3.1, 4.1, 4.2.   Test: solve/pivoted/nonideal_test.cpp (compared with
/// [UK] by matrix square roots).
template <class Solve>
[[nodiscard]] Outcome<void> find_reaction(Solve&& solve, ConstVector f, ConstVector C, Reaction& reaction) {
  if (Outcome<void> done = solve(f, reaction.ideal); !done) return done;
  reaction.total = reaction.ideal;
  reaction.Q_c = f + C;  // temporary storage of the sum
  if (!C.isZero(0.0)) {
    if (Outcome<void> done = solve(reaction.Q_c, reaction.total); !done) return done;
  }
  reaction.Q_c = C + reaction.total.Q;
  reaction.Q_nonideal = reaction.Q_c - reaction.ideal.Q;
  return {};
}

}  // namespace vinculum::solve
