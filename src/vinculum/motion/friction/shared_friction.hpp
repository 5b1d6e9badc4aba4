#pragma once

#include "vinculum/motion/friction/friction_problem.hpp"
#include "vinculum/solve/pivoted/friction.hpp"

namespace vinculum::sim {

/// Handles forces of sticking contacts that are not unique: chooses one solution, and computes how other solutions may
/// differ. Allocates.
class SharedFriction {
 public:
  SharedFriction(StateKernels& at, EquationPieces& pieces, ReactionForces& forces, FreeResponse& free,
                 const solve::FrictionSolve& friction, FrictionProblem& contacts)
      : at_(at), pieces_(pieces), forces_(forces), free_(free), friction_(friction), contacts_(contacts) {}

  /// Replaces the forces of the sticking contacts by the solution whose smallest margin from the friction bounds is
  /// largest.
  /// \param reading  contains a solution; its forces are replaced
  [[nodiscard]] Outcome<void> read(double t, const double* y, FrictionReading& reading);
  /// Sets C in `EquationPieces::matrices` for the chosen forces, and the members `directions` and `free_forces`.
  /// \param force [ns]  forces of a solution
  [[nodiscard]] Outcome<void> share(double t, const double* y, const Vector& force);

  Vector directions;       ///< [ns] friction directions of the chosen forces
  FreeForces free_forces;  ///< how other solutions may differ

 private:
  [[nodiscard]] solve::ContactModes modes_in_force(const ContactReading& contacts, const std::vector<int>& closed,
                                                   const Vector& force) const;
  /// Finds C and the reactions for given friction directions, by iteration. Stores C in `EquationPieces::matrices`.
  /// \param multipliers [nc]  where the iteration starts
  [[nodiscard]] Outcome<void> find_reactions(Vector multipliers);
  void find_free_forces(const FrictionReading& reading);

  StateKernels& at_;
  EquationPieces& pieces_;
  ReactionForces& forces_;
  FreeResponse& free_;
  const solve::FrictionSolve& friction_;
  FrictionProblem& contacts_;
};

}  // namespace vinculum::sim
