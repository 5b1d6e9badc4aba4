#pragma once

#include <vector>

#include "vinculum/linear/linear_equations.hpp"

namespace vinculum::linear {

/// The states near a state that satisfy the same conditions: δy = T δy_I to first order, with independent components I
/// of y, which have names. So the rows I of T are the unit matrix.
struct Tangent {
  std::vector<Eigen::Index> independent, dependent;  ///< ascending; held components of y are in neither list
  Matrix T;                                          ///< [ny × independent]
};

/// How components are chosen as independent.
struct Preference {
  Vector scale;               ///< [ny] typical sizes > 0
  Vector weight;              ///< [ny] > 0; with a larger weight a component is sooner a dependent one
  std::vector<char> is_held;  ///< [ny] 1: the component does not change
};

/// Chooses independent components by elimination with complete pivoting: of coordinates by the conditions without
/// speeds, of speeds by the others. Conditions may depend on each other.
/// \param c_y  [conditions × ny]   \param is_position  [conditions] 1 if the condition contains no speed
[[nodiscard]] Tangent choose_tangent(const LinearEquations& equations, const Matrix& c_y, const Preference& preference);
/// T for given independent components at a neighboring state.
void compute_tangent(const Matrix& c_y, const Vector& scale, Tangent& tangent);

/// Changes the dependent components until the state satisfies all conditions, and evaluates the equations there.
/// \param near  at y; receives the values at the new state   \returns false if there is no such state near y
[[nodiscard]] bool meet_conditions(LinearEquations& equations, const Tangent& tangent, const Vector& scale, double t,
                                   Vector& y, NearState& near);

}  // namespace vinculum::linear
