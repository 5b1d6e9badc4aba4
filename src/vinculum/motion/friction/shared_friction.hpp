#pragma once

#include "vinculum/motion/friction/contacts.hpp"
#include "vinculum/solve/pivoted/friction.hpp"

namespace vinculum::sim {

/// Forces of sticking contacts if they are not unique: one choice, and how other choices may differ. Allocates.
class SharedFriction {
 public:
  SharedFriction(StateKernels& at, EquationPieces& pieces, Routes& routes, ReactionForces& forces, FreeResponse& free,
                 const solve::FrictionSolve& friction, Contacts& contacts)
      : at_(at),
        pieces_(pieces),
        routes_(routes),
        forces_(forces),
        free_(free),
        friction_(friction),
        contacts_(contacts) {}

  /// Replaces the forces of the sticking contacts by the choice with the largest margin.
  /// \param reading  has the forces found before
  [[nodiscard]] Outcome<void> read(double t, const double* y, FrictionReading& reading);
  /// Sets C of the pieces with these forces, `directions`, and in `free_forces` how other choices may differ.
  /// \param force [ns]  found before
  [[nodiscard]] Outcome<void> share(double t, const double* y, const Vector& force);

  Vector directions;  ///< [ns] of friction
  FreeForces free_forces;

 private:
  [[nodiscard]] solve::ContactModes modes_in_force(const ContactReading& contacts, const Vector& force) const;
  /// Finds C of the pieces and the reactions for given friction directions, by iteration.
  [[nodiscard]] Outcome<void> find_reactions(Vector multipliers);
  void find_free_forces(const FrictionReading& reading);

  StateKernels& at_;
  EquationPieces& pieces_;
  Routes& routes_;
  ReactionForces& forces_;
  FreeResponse& free_;
  const solve::FrictionSolve& friction_;
  Contacts& contacts_;
};

}  // namespace vinculum::sim
