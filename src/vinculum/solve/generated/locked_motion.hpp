#pragma once

#include <optional>
#include <vector>

#include "vinculum/equations/system.hpp"

namespace vinculum::solve {

/// Motion of a tree of masses with dry friction on single speeds, such as joint coordinates: a contact that sticks
/// locks its speed, u' = 0, and one evaluation takes as many operations as without friction.
struct LockedMotion {
  std::vector<expr::Expr> free;   ///< [slides] symbols: 0 while the contact sticks, else 1
  std::vector<expr::Expr> u_dot;  ///< [nu]
  expr::Expr contraction;         ///< as of equations::ArticulatedMotion
  std::vector<expr::Expr> force;  ///< [slides] conjugate to the sliding velocity, keeps it at 0; 0 where it is free
};

/// \returns nothing unless the masses are a tree without rows, each sliding velocity is a constant times one speed, no
/// two are of the same speed, and friction acts on that speed alone with a bound that holds no reactions.
/// Source: docs/theory.md §4.6, docs/numerics.md.   Test: equations/articulated_bodies_test.cpp;
/// tests/friction/two_dry_joints.vin.
[[nodiscard]] std::optional<LockedMotion> locked_motion(const equations::System& system);

}  // namespace vinculum::solve
