#pragma once

#include "vinculum/motion/accelerations/linear_problem.hpp"

namespace vinculum::sim {

/// Computes the reactions at a state for reports, with the solver that decides about rank (`Routes::truth`).
class ReportedForces {
 public:
  /// \param forces  null if no force depends on reactions
  ReportedForces(EquationPieces& pieces, Routes& routes, DependentForces* forces, LinearProblem& problem)
      : pieces_(pieces), routes_(routes), forces_(forces), problem_(problem) {}

  /// Evaluates the equations at the state, factors them, and finds C if C depends on reactions.
  [[nodiscard]] Outcome<void> factor(double t, const double* y);
  /// Computes accelerations and reactions.
  /// \pre `factor` at the state
  /// \returns failures with indices of rows but without names
  [[nodiscard]] Outcome<void> react(solve::Reaction& reaction) {
    return problem_.react(pieces_.rows.seen_defect(pieces_.matrices), reaction);
  }
  /// Computes the friction directions of all contacts.
  /// \pre `factor` at the state; friction contacts
  [[nodiscard]] Outcome<void> fill_directions(Vector& s);
  /// Returns the changes of the forces of sticking contacts that do not change the motion; empty if the forces are
  /// unique.
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
