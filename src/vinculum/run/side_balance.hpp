#pragma once

#include <vector>

namespace vinculum::sim {

/// How far a motion lies outside the regions in force, and beyond the limits of stick and slip (theory.md §10.5).
struct SideBalance {
  /// An excess beyond a limit, at the time at which it comes closest to its permitted value.
  struct Miss {
    double residual = 0.0;
    double limit = 0.0;  ///< permitted by errors of the state within the tolerance of the steps, and by rounding
    double size = 0.0;   ///< largest magnitude so far of the compared quantities
    double t = 0.0;
  };
  std::vector<Miss> on_sides;   ///< [surfaces] distance from the region in force, or from the surface of the sliding
                                ///< mode
  std::vector<Miss> as_stated;  ///< [surfaces] in steps without a region in force: distance from the region in which
                                ///< the step began
  std::vector<Miss> slides;     ///< [slides] slip: speed against the friction direction; stick: force in excess of its
                                ///< bound
  long instants = 0;            ///< number of instants checked
};

}  // namespace vinculum::sim
