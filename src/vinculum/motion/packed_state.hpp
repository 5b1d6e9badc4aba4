#pragma once

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::sim {

/// The state y = [q, u, z] of a Start or a Sample, in the layout that `Dynamics::derivative` reads.
template <class At>
[[nodiscard]] Vector packed_state(const At& at) {
  Vector y(at.q.size() + at.u.size() + at.z.size());
  y << at.q, at.u, at.z;
  return y;
}

}  // namespace vinculum::sim
