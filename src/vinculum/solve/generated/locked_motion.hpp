#pragma once

#include <optional>
#include <vector>

#include "vinculum/equations/system.hpp"

namespace vinculum::solve {

/// Motion of a tree of masses in which each friction contact acts on a single speed, for example the rate of a joint
/// coordinate. A sticking contact locks its speed (u' = 0). An evaluation takes as many operations as without friction.
struct LockedMotion {
  std::vector<expr::Expr> free;   ///< [contacts] symbols: 0 while the contact sticks, else 1
  std::vector<expr::Expr> u_dot;  ///< [nu] accelerations
  expr::Expr contraction;         ///< guard of the pivots, see equations::ArticulatedMotion
  std::vector<expr::Expr> force;  ///< [contacts] force that keeps the sliding velocity at 0; 0 if the contact slips
};

/// \returns nothing unless all of this is true: the masses are a tree without constraint rows; each sliding velocity is
/// a constant times one speed; no two contacts share a speed; friction acts on that speed alone, with a bound that does
/// not depend on reactions.
/// Source: docs/theory.md §4.6, docs/numerics.md.   Test: equations/articulated_bodies_test.cpp;
/// tests/friction/two_dry_joints.vin.
[[nodiscard]] std::optional<LockedMotion> locked_motion(const equations::System& system);

}  // namespace vinculum::solve
