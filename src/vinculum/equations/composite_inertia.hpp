#pragma once

#include <optional>
#include <vector>

#include "vinculum/equations/chain_motion.hpp"
#include "vinculum/equations/system.hpp"

namespace vinculum::equations {

/// Computes the mass matrix by the composite-rigid-body method. Each mass moves relative to a parent with at most
/// `kManySpeeds` speeds of its own. For these speeds, the mass and all masses outboard of it move as one rigid body:
/// M_rs = J_r·(Ic J_s). J are the twists of a mass relative to its parent. Ic is the inertia of the mass and all masses
/// outboard of it, about a point fixed in the mass.
/// \returns [nu×nu], or nothing if some mass has more than `kManySpeeds` speeds relative to its parent; the method then
///   has no advantage
/// Source: Walker & Orin 1982; theory.md §1.   Independent routes: newton_euler_test.cpp, lagrange_test.cpp.
[[nodiscard]] std::optional<std::vector<expr::Expr>> composite_mass_matrix(System& system, ChainMotion& motion);

}  // namespace vinculum::equations
