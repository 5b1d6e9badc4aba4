#pragma once

#include <string>
#include <vector>

#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// A scalar that keeps its value along every motion of the model.
struct Invariant {
  model::Conserved::What what{};
  model::CoordinateId coordinate;  ///< of kMomentum
  std::string name;                ///< as `conserve` takes it: "energy", "momentum(phi)", "dot(momentum(P), N.x)"
  model::Term value;
  std::string why;
};

/// A quantity that could have been one.
struct NotInvariant {
  model::Conserved::What what{};
  model::CoordinateId coordinate;
  std::string name;
  std::string why;  ///< "force on P works; the reaction of c works"
};

struct Invariants {
  std::vector<Invariant> found;
  std::vector<NotInvariant> missed;
  std::vector<char> is_workless;  ///< [constraints] whether its reaction has no power, by its form: at every state
};

/// Looks for what the motion keeps:
///
///  * the energy (and q'·∂L/∂q' − L where coordinates move with the time; with what the laws of constraints
///    store where they do): its rate is the sum of the powers of loads without potential, of the reactions, and of what
///    depends on the time. Each of these has to vanish;
///  * the momentum ∂L/∂q' of each coordinate: its rate is ∂L/∂q and the generalized forces along q, one a load and
///  constraint;
///  * momenta of the whole along the newtonian axes and about a point at rest, where they are not among these.
///
/// Contributions are expressions of the System. If all are 0 by their form (loads with potentials, reactions of
/// scleronomic rows that are homogeneous in the velocities), this is a theorem, and no numbers are used. Else one
/// vanishes if it has no branches (`abs`, tables, conditions) and is 0 to rounding at random states on the constraints
/// with the reactions that go with them. Momenta that constraints hold at 0 are left out. Allocates; takes as long as
/// deriving the equations and some samples.   Source: theory.md §1, §6.4, §9; [S] 3.31–3.35.
[[nodiscard]] Invariants find_invariants(const Binding& bound);

/// Whether the quantities that the model states in `conserve` are invariants.
/// \returns kNotConserved with the first that is none, and who works against it.
[[nodiscard]] Outcome<void> judge_conserved(const Binding& bound);

}  // namespace vinculum::sim
