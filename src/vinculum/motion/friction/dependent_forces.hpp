#pragma once

#include <optional>

#include "vinculum/motion/friction/held_friction.hpp"
#include "vinculum/motion/friction/shared_friction.hpp"
#include "vinculum/motion/friction/sticking.hpp"

namespace vinculum::sim {

/// Reaction-dependent forces, friction among them: finds C of the pieces for the route in use.
class DependentForces {
 public:
  DependentForces(StateKernels& at, EquationPieces& pieces, Routes& routes);
  DependentForces(const DependentForces&) = delete;
  DependentForces& operator=(const DependentForces&) = delete;

  /// From here on searches begin with the reactions in this memory, which must outlive them.
  void remember_in(solve::ReactionMemory& memory) { friction_.remember_in(memory); }
  /// Finds C of the pieces.
  /// \pre `StateKernels::input` is their state, and the explicit route has their factor.
  [[nodiscard]] Outcome<void> settle();
  /// Restores v = 0 of sticking contacts by the least change of u in the metric of M.
  /// \returns the largest correction relative to `set_scale`.
  [[nodiscard]] Outcome<double> project(double t, double* y);

  ReactionForces forces;
  /// Parts for friction contacts; null without contacts.
  struct OfContacts {
    OfContacts(StateKernels& at, EquationPieces& pieces, Routes& routes, DependentForces& all);
    HeldFriction held;
    Sticking sticking;
    Contacts problem;
    SharedFriction shared;
  };
  std::optional<OfContacts> contacts;

 private:
  [[nodiscard]] Outcome<void> check_reactions_are_unique();

  StateKernels& at_;
  EquationPieces& pieces_;
  Routes& routes_;
  FreeResponse free_;
  solve::FrictionSolve friction_;
  solve::FrictionSolve::Respond respond_;
  solve::FrictionSolve::Evaluate evaluate_;
};

}  // namespace vinculum::sim
