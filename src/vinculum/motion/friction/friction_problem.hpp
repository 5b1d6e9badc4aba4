#pragma once

#include <vector>

#include "vinculum/motion/equation_pieces.hpp"
#include "vinculum/motion/friction/reaction_forces.hpp"
#include "vinculum/motion/friction/sticking_response.hpp"
#include "vinculum/motion/friction_reading.hpp"

namespace vinculum::sim {

/// Sets up the friction of all contacts at one state as one contact problem (theory.md §4.6): the response of the
/// sliding velocities to the friction forces, and the dependence of the friction bounds on the reactions. Allocates.
class FrictionProblem {
 public:
  FrictionProblem(StateKernels& at, EquationPieces& pieces, Routes& routes, ReactionForces& forces, FreeResponse& free)
      : at_(at), pieces_(pieces), routes_(routes), forces_(forces), free_(free) {}

  /// See `FrictionOf::read_contacts`.
  [[nodiscard]] Outcome<ContactReading> read(double t, const double* y, const std::vector<char>& at_rest,
                                             const Vector& guess, const std::vector<int>& unilateral);
  /// Evaluates the equations without friction and factors them, with all rows that act.
  [[nodiscard]] Outcome<void> load(double t, const double* y);
  /// The rows of closed unilateral constraints. \pre the matrices in `EquationPieces` are those of the state
  [[nodiscard]] std::vector<int> closed_rows() const;
  /// See `FrictionOf::learn_reach`.
  void learn_reach(double t, const double* y);

 private:
  /// False for the friction of a constraint that does not act.
  [[nodiscard]] bool acts(int slide) const;
  [[nodiscard]] Outcome<void> evaluate(double t, const double* y);
  [[nodiscard]] Outcome<void> factor(double t);

  StateKernels& at_;
  EquationPieces& pieces_;
  Routes& routes_;
  ReactionForces& forces_;
  FreeResponse& free_;
};

}  // namespace vinculum::sim
