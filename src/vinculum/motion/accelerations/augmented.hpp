#pragma once

#include "vinculum/equations/system.hpp"
#include "vinculum/motion/accelerations/route.hpp"
#include "vinculum/solve/generated/augmented_solve.hpp"

namespace vinculum::sim {

/// Solves for accelerations, multipliers and efforts as one linear system (AugmentedSolve). Used by the augmented
/// formulation, and by all formulations if M may be indefinite.
class Augmented final : public Route {
 public:
  explicit Augmented(const equations::System& system);
  [[nodiscard]] Outcome<void> factor(const Matrices& at, double defect) override;
  [[nodiscard]] Outcome<void> solve(const Matrices& at, double defect, ConstVector force, ConstVector b,
                                    SolvedMotion& found) override;

 private:
  bool has_indefinite_mass_;
  solve::AugmentedSolve solve_;
  solve::AugmentedSolution solution_;
};

}  // namespace vinculum::sim
