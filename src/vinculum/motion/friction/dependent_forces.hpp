#pragma once

#include <optional>

#include "vinculum/motion/friction/held_friction.hpp"
#include "vinculum/motion/friction/shared_friction.hpp"
#include "vinculum/motion/friction/sticking.hpp"

namespace vinculum::sim {

/// Finds the generalized force C that depends on reactions, such as friction, so that it is consistent with the
/// reactions.
class DependentForces {
 public:
  DependentForces(StateKernels& at, EquationPieces& pieces, Routes& routes);
  DependentForces(const DependentForces&) = delete;
  DependentForces& operator=(const DependentForces&) = delete;

  /// Sets the memory in which a search for reactions begins and stores its result. It must outlive later calls.
  void remember_in(solve::ReactionMemory& memory) { friction_.remember_in(memory); }
  /// Finds C and stores it in `EquationPieces::matrices`.
  /// \pre `StateKernels::input` is the state of these matrices, and `Routes::explicit_route` has factored them.
  [[nodiscard]] Outcome<void> settle();
  /// Restores sliding velocities v = 0 of sticking contacts by the least change of u in the metric of M.
  /// \returns the largest correction in units of tolerance × typical size (`Dynamics::set_scale`).
  [[nodiscard]] Outcome<double> project(double t, double* y);

  ReactionForces forces;
  /// Classes for friction contacts.
  struct OfContacts {
    OfContacts(StateKernels& at, EquationPieces& pieces, Routes& routes, DependentForces& all);
    HeldFriction held;
    Sticking sticking;
    FrictionProblem problem;
    SharedFriction shared;
  };
  std::optional<OfContacts> contacts;  ///< empty if the model has no friction contacts

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
