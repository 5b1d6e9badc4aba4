#pragma once

#include <string>
#include <vector>

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::compare {

using sim::Binding;
using sim::Sample;

/// A state of a motion with its rate.
struct TrackPoint {
  double t = 0.0;
  Vector q, u, z;  ///< [nq], [nu], [nz]
  Vector q_dot, u_dot, z_dot;
};

/// What remains of the equations of one law along a motion that may have come about under another.
struct LawResidual {
  bool is_computed = false;
  std::string reason;        ///< why it is not, or not up to the motion's end
  double equations = 0.0;    ///< largest |Zᵀ(M u' − f − C)|, Z a basis of the virtual displacements that the law knows,
                             ///< over the largest size of its terms along the motion; speeds in units 1/√M_rr
  double t_equations = 0.0;  ///< [s] when
  double rows =
      0.0;  ///< largest of a constraint that the law keeps, over the size that its terms have along the motion
  double t_rows = 0.0;  ///< [s]
  double t_end = 0.0;   ///< [s] looked at up to here
};

/// Residual of the equations of motion of `law` along the states, velocities and accelerations of a motion of `of`, a
/// model that differs from it in laws of reaction only. Multipliers that are states of `law` start where it starts them
/// and follow its own rate equation along the motion: the part of M u' − f in the range of Aᵀ gives μ', the part along
/// ker A is the residual. Where forces depend on the reactions C is taken at those that the law itself would have in
/// that state; states in which it has none are passed over. Not computed where rows are not linear in u'. A law of
/// higher order is given the derivatives of the motion, out of the motion's own equations; μ^(p) is the part in the
/// range of F_q^(p)ᵀ. Integration by Radau's method of order 5 between the track's points, states there by cubic
/// Hermite interpolation. Source: theory.md §6.8.   Second route: compare_test.cpp,
/// tests/agreement/higher_residual_test.cpp (closed forms).
[[nodiscard]] LawResidual law_residual(const std::shared_ptr<const Binding>& law, const Binding& of,
                                       const std::vector<TrackPoint>& track);

}  // namespace vinculum::compare
