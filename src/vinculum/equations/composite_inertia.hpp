#pragma once

#include <optional>
#include <vector>

#include "vinculum/equations/chain_motion.hpp"
#include "vinculum/equations/system.hpp"

namespace vinculum::equations {

/// M by composite rigid bodies. Every mass moves relative to another one, its parent, with a few speeds of its own;
/// what is beyond moves along as one body as far as these speeds go. M_rs = J_r·(Ic J_s), J the twists of a mass
/// relative to its parent, Ic the inertia of it and all beyond, about a point at rest in it.
/// \returns [nu×nu], nothing where masses move relative to each other with many speeds, so that there is nothing to
/// compose. Source: Walker & Orin 1982; theory.md §1.   Second route: newton_euler_test.cpp, lagrange_test.cpp.
[[nodiscard]] std::optional<std::vector<expr::Expr>> composite_mass_matrix(System& system, ChainMotion& motion);

}  // namespace vinculum::equations
