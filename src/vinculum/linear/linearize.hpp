#pragma once

#include <optional>
#include <vector>

#include "vinculum/linear/modes.hpp"
#include "vinculum/linear/tangent.hpp"

namespace vinculum::linear {

/// What the state is whose neighborhood is described.
enum class Reference {
  kEquilibrium,  ///< nothing moves
  /// Only ignorable coordinates move: their values and the time have no effect on the other rates. Or the whole system
  /// moves along a symmetry of the equations, such as a rotation about the vertical
  kSteady,
  kMoving,  ///< any other motion: A holds at this instant, and its eigenvalues say nothing about stability
};

enum class Stability {
  kUnknown,   ///< of a moving reference
  kUnstable,  ///< an eigenvalue has a positive real part: also the nonlinear motion leaves the neighborhood
  kStable,    ///< all real parts are negative: asymptotically stable
  /// Except for zeros of ignorable and constant variables, all real parts are negative: deviations of the other
  /// variables decay in the linear system
  kStableUpToZeros,
  kUndecided,  ///< some real parts are 0, none is positive: the linear system does not decide
};

/// The linear system near a state. With ξ the deviation of the independent components of y = (q, u, z), and p the
/// deviation of the inputs:
///
///   ξ' = A ξ + B p,   h = C ξ + D p,   y = T ξ
///
/// The deviations satisfy the constraints to first order. So A has no eigenvalues of constraint directions or of the
/// norms of quaternions. Because the rows I of T are the unit matrix, A = (F_y T)_I also on a moving reference: the
/// term T' has no such rows.   Source: docs/theory.md §11.   Test: linearize_test.cpp.
struct Linearization {
  double t = 0.0;
  Vector y, y_dot;  ///< [ny] the state and its rates
  Vector outputs;   ///< values of the outputs at the state
  Tangent tangent;
  Matrix A, B, C, D;
  Vector scale;  ///< [ny] typical sizes
  Reference reference{};
  std::vector<Eigen::Index> moving;  ///< components of y that move in a steady motion
  /// [ny × ny] For a steady motion along a symmetry (symmetry.hpp); empty otherwise. The deviations are those in a
  /// frame that moves with the motion and coincides with the present one: A = ((F_y − S) T)_I
  Matrix S;
  /// kMoving: the speed that changes most, relative to its typical size; its rate may be 0 at this instant
  Eigen::Index worst = -1;
  Modes modes;
  Stability stability{};
  std::vector<Eigen::Index> held;  ///< components of y that only events, samples or inputs change
};

/// An input: a parameter of `LinearEquations::Quantities::parameters`, or a held component of y.
struct LinearInput {
  bool is_parameter = false;
  Eigen::Index index = 0;  ///< position in that list, or index of the component of y
};

/// \pre y satisfies the constraints   \param u_dot  [nu] accelerations at the state
/// \returns kNotUnique if the equations have a corner at the state, kRankDrop at a singular configuration, and the
/// failures of `LinearEquations::at`
[[nodiscard]] Outcome<Linearization> linearize(LinearEquations& equations, const sim::Binding& bound, double t,
                                               const Vector& y, const Vector& u_dot,
                                               const std::vector<LinearInput>& inputs);

/// Typical sizes of the components of y near a state; of the speeds: of the displacement along the speed in 1 s.
[[nodiscard]] Vector sizes_near(const LinearEquations& equations, const sim::Binding& bound, const Vector& y);

}  // namespace vinculum::linear
