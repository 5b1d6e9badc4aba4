#pragma once

#include <optional>

#include "vinculum/motion/friction/held_friction.hpp"
#include "vinculum/motion/friction/shared_friction.hpp"
#include "vinculum/motion/friction/sticking.hpp"

namespace vinculum::sim {

/// Forces that depend on reactions, friction among them: settles C of the pieces for whichever route is asked.
class DependentForces {
 public:
  DependentForces(StateKernels& at, EquationPieces& pieces, Routes& routes);
  DependentForces(const DependentForces&) = delete;
  DependentForces& operator=(const DependentForces&) = delete;

  /// From here on reactions are sought from those of this memory, which outlives that.
  void remember_in(solve::ReactionMemory& memory) { friction_.remember_in(memory); }
  /// C of the pieces.   \pre `StateKernels::input` is their state, the explicit route holds their factor.
  [[nodiscard]] Outcome<void> settle();
  /// v = 0 of what sticks, by least change of u in the metric of M. \returns the largest correction relative to
  /// `set_scale`.
  [[nodiscard]] Outcome<double> project(double t, double* y);

  ReactionForces forces;
  /// Friction contacts; none without.
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
