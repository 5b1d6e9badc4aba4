#pragma once

#include "vinculum/linear/linearize.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum::linear {

/// How the deviations from a motion change over one period T (Floquet). With ξ the deviations of the independent
/// components I of y = (q, u, z):
///
///   ξ(t + T) = M ξ(t),   M = W_I,   W' = F_y W,   W(t) = Tangent::T
///
/// The multipliers are the eigenvalues of M. Multipliers 1 are separated as the zeros of M − 1.
/// Source: docs/theory.md §11; Hartman, Ordinary Differential Equations, §IV.6.   Test: tests/linear/periodic_test.cpp.
struct PeriodicMotion {
  double t = 0.0, period = 0.0;
  Vector y, y_dot;  ///< [ny] the state at t and its rates
  Tangent tangent;
  Vector scale;                        ///< [ny] typical sizes
  Matrix M;                            ///< [n × n] monodromy matrix
  std::vector<Eigen::Index> advanced;  ///< independent components that have other values after T, without effect
  double distance = 0.0;               ///< largest difference of the others after T, in typical sizes
  double error = 0.0;                  ///< estimated error of M, in typical sizes
  ComplexVector multipliers;           ///< [modes] those that are not 1, by decreasing magnitude
  ComplexMatrix vectors;               ///< [n × modes] M v = μ v
  Vector uncertainty;                  ///< [modes] effect of `error` on the multiplier
  /// Multipliers 1, each with its cause. A family is a direction of neighboring periodic motions.
  std::vector<ZeroEigenvalue> ones;
  /// Whether the deviation along an autonomous motion itself is one more multiplier 1; it is not among `ones`.
  bool has_trivial = false;
  Stability stability{};
};

struct PeriodicSearch {
  double period = 0.0;     ///< [s] > 0
  double tolerance = 0.0;  ///< relative tolerance of the integration
  bool searches = false;   ///< changes the state, and the period of an autonomous model, until the motion is periodic
  sim::SimulateOptions run{};  ///< method and inputs
};

/// \pre y satisfies the constraints at t; `dynamics` has the typical sizes of the motion
/// \returns kAssembly if the motion is not periodic, with the component that differs most; kNotUnique if an event lies
/// within the period; the failures of `linearize` and `sim::vary`
/// \cost two integrations of ny (1 + n) variables over the period; with a search, two more for each of its steps
[[nodiscard]] Outcome<PeriodicMotion> periodic_motion(LinearEquations& equations, sim::Dynamics& dynamics, double t,
                                                      const Vector& y, const Vector& u_dot,
                                                      const PeriodicSearch& search);

}  // namespace vinculum::linear
