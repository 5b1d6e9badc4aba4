#pragma once

#include "vinculum/motion/accelerations/linear_problem.hpp"

namespace vinculum::sim {

/// Reactions at a state, always by the route that decides about rank (`Routes::truth`).
class ReportedForces {
 public:
  /// \param forces  null if no force depends on reactions
  ReportedForces(EquationPieces& pieces, Routes& routes, DependentForces* forces, LinearProblem& problem)
      : pieces_(pieces), routes_(routes), forces_(forces), problem_(problem) {}

  /// Reads all pieces at the state, factors them, and finds C if it depends on reactions.
  [[nodiscard]] Outcome<void> factor(double t, const double* y);
  /// Accelerations and reactions.
  /// \pre `factor` at the state
  /// \returns failures without names
  [[nodiscard]] Outcome<void> react(solve::Reaction& reaction) {
    return problem_.react(pieces_.rows.seen_defect(pieces_.matrices), reaction);
  }
  /// Directions of friction.
  /// \pre `factor` at the state; friction contacts
  [[nodiscard]] Outcome<void> fill_directions(Vector& s);
  /// How forces of sticking contacts may differ; empty if they are unique.
  [[nodiscard]] const FreeForces& free_forces() const;

 private:
  [[nodiscard]] bool is_shared() const {
    return forces_ != nullptr && forces_->contacts && forces_->contacts->sticking.response().is_shared;
  }

  EquationPieces& pieces_;
  Routes& routes_;
  DependentForces* const forces_;
  LinearProblem& problem_;
};

}  // namespace vinculum::sim
