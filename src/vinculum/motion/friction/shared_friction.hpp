#pragma once

#include "vinculum/motion/friction/contacts.hpp"
#include "vinculum/solve/pivoted/friction.hpp"

namespace vinculum::sim {

/// Forces of contacts that stick where they are not unique: one choice of them, and how others may differ. Allocates.
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

  /// Forces of what sticks: those with the largest margin.   \param reading  forces of what sticks as settled
  [[nodiscard]] Outcome<void> read(double t, const double* y, FrictionReading& reading);
  /// C of the pieces with these forces, their `directions`, and how they may differ: `free_forces`.
  /// \param force [ns]  as settled
  [[nodiscard]] Outcome<void> share(double t, const double* y, const Vector& force);

  Vector directions;  ///< [ns] of friction
  FreeForces free_forces;

 private:
  [[nodiscard]] solve::ContactModes modes_in_force(const ContactReading& contacts, const Vector& force) const;
  /// C of the pieces and the reactions that go with given directions of friction.
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
