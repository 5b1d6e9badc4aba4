#pragma once

#include "vinculum/motion/accelerations/linear_problem.hpp"

namespace vinculum::sim {

/// Reactions at a state, always by the pivoted solver: the truth.
class ReportedForces {
 public:
  /// \param forces  null where none depends on reactions
  ReportedForces(EquationPieces& pieces, Routes& routes, DependentForces* forces, LinearProblem& problem)
      : pieces_(pieces), routes_(routes), forces_(forces), problem_(problem) {}

  /// All pieces at the state, C by its reactions too, and the factor of the pivoted solver.
  [[nodiscard]] Outcome<void> factor(double t, const double* y);
  /// Motion and reactions.   \pre `factor` there   \returns failures not yet named
  [[nodiscard]] Outcome<void> react(solve::Reaction& reaction) {
    return problem_.react(pieces_.rows.seen_defect(pieces_.matrices), reaction);
  }
  /// Directions of friction.   \pre as above; friction contacts
  [[nodiscard]] Outcome<void> fill_directions(Vector& s);
  /// How forces of contacts that stick may differ; empty where they are unique.
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
