#pragma once

#include "vinculum/base/outcome.hpp"
#include "vinculum/solve/pivoted/constrained_solve.hpp"

namespace vinculum::sim {

struct Matrices;

/// Solution of the linear problem M u' = force + Aᵀλ + Γᵀe, A u' = b.
struct SolvedMotion : solve::Solution {  ///< u', λ, and the force Q = Aᵀλ + Γᵀe
  Vector effort;                         ///< [efforts] actuator efforts e
};

/// A solver for the accelerations u', multipliers λ and actuator efforts e in
///
///   M u' = force + Aᵀλ + Γᵀe,   A u' = b
///
/// Which solver is used depends on the formulation (Routes). One factor serves several right-hand sides. Allocates
/// nothing after its first use. Use one object per thread.
class Route {
 public:
  Route() = default;
  Route(const Route&) = delete;
  Route& operator=(const Route&) = delete;
  virtual ~Route() = default;

  /// \param at  vectors and matrices of the equations at a state
  /// \param defect  largest relative constraint violation of the state; no rank is decided with a smaller tolerance
  /// \returns failures with indices of rows but without names.
  [[nodiscard]] virtual Outcome<void> factor(const Matrices& at, double defect) = 0;
  /// Solves with the present factor.
  /// \param force [nu]
  /// \param b [nc]
  /// \param found  receives the solution
  /// \pre `factor` at the same state
  [[nodiscard]] virtual Outcome<void> solve(const Matrices& at, double defect, ConstVector force, ConstVector b,
                                            SolvedMotion& found) = 0;
};

}  // namespace vinculum::sim
