#pragma once

#include "vinculum/base/outcome.hpp"
#include "vinculum/solve/pivoted/constrained_solve.hpp"

namespace vinculum::sim {

struct Matrices;

/// Solution of the linear problem with efforts.
struct SolvedMotion : solve::Solution {  ///< u', λ, Aᵀλ + Γᵀe
  Vector effort;                         ///< [efforts] e
};

/// A route: one way to solve for the accelerations in
///
///   M u' = force + Aᵀλ + Γᵀe,   A u' = b
///
/// It is chosen when the compiled model is bound to a formulation. One factor serves several right-hand sides.
/// Allocates nothing after its first use. Use one object per thread.
class Route {
 public:
  Route() = default;
  Route(const Route&) = delete;
  Route& operator=(const Route&) = delete;
  virtual ~Route() = default;

  /// \param at  pieces of the equations at a state
  /// \param defect  relative distance of the state from its constraints; no rank is decided with a finer tolerance
  /// \returns failures with rows but without names.
  [[nodiscard]] virtual Outcome<void> factor(const Matrices& at, double defect) = 0;
  /// \param force [nu]
  /// \param b [nc]
  /// \param found  receives the solution
  /// \pre `factor` at the same state
  [[nodiscard]] virtual Outcome<void> solve(const Matrices& at, double defect, ConstVector force, ConstVector b,
                                            SolvedMotion& found) = 0;
};

}  // namespace vinculum::sim
