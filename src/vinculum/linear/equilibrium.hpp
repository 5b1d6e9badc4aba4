#pragma once

#include <vector>

#include "vinculum/linear/linear_equations.hpp"

namespace vinculum::linear {

/// Which components of y = (q, u, z) an equilibrium or steady motion has to find, and which may move.
struct EquilibriumSearch {
  std::vector<char> is_fixed;  ///< [ny] 1: keeps its value
  /// [ny] 1: a speed that stays constant but need not be 0; a coordinate or state that may move in any way
  std::vector<char> may_move;
};

/// Finds a state near y that satisfies the constraints. All speeds and accelerations in it are 0 and all states are
/// constant; components with `may_move` are exempt. Newton's method, with steps of least norm relative to the typical
/// sizes, leaves components unchanged on which the conditions do not depend.
/// \param u_dot  [nu] initial guess of the accelerations
/// \returns kAssembly, with the condition that is not satisfied, if there is no such state near y; the failures of
/// `LinearEquations::at`
[[nodiscard]] Outcome<Vector> find_equilibrium(LinearEquations& equations, const sim::Binding& bound, double t,
                                               const Vector& y, const Vector& u_dot, const EquilibriumSearch& search);

}  // namespace vinculum::linear
