#pragma once

#include <string>
#include <vector>

#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// A scalar that is constant along every motion of the model.
struct Invariant {
  model::Conserved::What what{};
  model::CoordinateId coordinate;  ///< the coordinate of the momentum, if `what` is kMomentum
  std::string name;  ///< name in the notation of `conserve`: "energy", "momentum(phi)", "dot(momentum(P), N.x)"
  model::Term value;
  std::string why;
};

/// A candidate that is not constant, and why.
struct NotInvariant {
  model::Conserved::What what{};
  model::CoordinateId coordinate;
  std::string name;
  std::string why;  ///< such as "force on P works; the reaction of c works"
};

struct Invariants {
  std::vector<Invariant> found;
  std::vector<NotInvariant> missed;
  std::vector<char> is_workless;  ///< [constraints] whether the reaction has no power at any state, by its form
};

/// Finds quantities that are constant along every motion. Candidates:
///
///  * the energy. For rheonomic coordinates it is q'·∂L/∂q' − L. It includes energy stored by laws of constraints. Its
///    rate is the sum of the powers of loads without potential, of the reactions, and of terms that depend on time;
///  * the momentum ∂L/∂q' of each coordinate. Its rate is ∂L/∂q plus the generalized forces along q, one per load and
///    constraint;
///  * linear and angular momentum of the whole system, along the newtonian axes and about a point at rest, unless they
///    are among the momenta already found.
///
/// A quantity is constant if each contribution to its rate vanishes.
///
/// Contributions are expressions of the System. If all of them are 0 by their form (loads with potentials; reactions of
/// scleronomic rows that are homogeneous in the velocities), the result is a theorem, and no numbers are used.
/// Otherwise a contribution counts as zero if two conditions are true. First, it has no branches (`abs`, tables,
/// conditions). Second, its values at random states on the constraints, with the reactions at these states, are
/// rounding errors. A momentum that constraints keep at 0 is not listed.
/// \cost as deriving the equations and a few samples; allocates.   Source: theory.md §1, §6.4, §9; [S] 3.31–3.35.
[[nodiscard]] Invariants find_invariants(const Binding& bound);

/// Checks that the quantities named by `conserve` statements are invariants.
/// \returns kNotConserved with the first quantity that is not an invariant, and the contributions that change it.
[[nodiscard]] Outcome<void> judge_conserved(const Binding& bound);

}  // namespace vinculum::sim
