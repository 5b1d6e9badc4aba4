#pragma once

#include <string>
#include <vector>

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::compare {

using sim::Binding;
using sim::Sample;

/// State and rate at one instant of a motion.
struct TrackPoint {
  double t = 0.0;
  Vector q, u, z;  ///< [nq], [nu], [nz] state; the rates below have the same shapes
  Vector q_dot, u_dot, z_dot;
};

/// Residual of the equations of motion of one law along a motion, which may have been computed with another law.
struct LawResidual {
  bool is_computed = false;
  std::string reason;  ///< reason why the residual is not computed, or not up to the end of the motion
  /// Largest |Zᵀ(M u' − f − C)|, relative to the largest of its terms along the motion. The columns of Z are a basis of
  /// the virtual displacements under this law. Speeds are in units 1/√M_rr.
  double equations = 0.0;
  double t_equations = 0.0;  ///< [s] time of `equations`
  double rows =
      0.0;  ///< largest residual of a constraint that the law enforces, relative to its terms along the motion
  double t_rows = 0.0;  ///< [s] time of `rows`
  double t_end = 0.0;   ///< [s] time up to which the residual is evaluated
};

/// Computes the residual of the equations of motion of `law` along the states, speeds and accelerations of a motion of
/// `of`. The models differ only in their reaction laws.
/// Multipliers μ that are states of `law` start with the values that `law` states, and follow their own rate equations
/// along the motion. The component of M u' − f in the range of Aᵀ determines μ', and the component along ker A is the
/// residual. If forces depend on reactions, C is evaluated with the reactions that `law` would have in the same state;
/// states without such reactions are skipped. The residual is not computed if rows are not linear in u'.
/// For constraints of higher order p, the derivatives of the motion follow from the equations of `of`. The component of
/// M u' − f in the range of F_q^(p)ᵀ determines the derivative μ^(p) of the multiplier. Between the points of `track`
/// the multipliers are integrated by a Radau method of order 5, and the states are interpolated by cubic Hermite
/// polynomials.
/// Source: theory.md §6.8.   Test: compare_test.cpp, tests/agreement/higher_residual_test.cpp (closed forms).
[[nodiscard]] LawResidual law_residual(const std::shared_ptr<const Binding>& law, const Binding& of,
                                       const std::vector<TrackPoint>& track);

}  // namespace vinculum::compare
