#pragma once

#include <vector>

namespace vinculum::sim {

/// Measures how far a motion lies outside the regions in force, and beyond the limits of stick and slip (theory.md
/// §10.5).
struct SideBalance {
  /// An excess beyond a limit, at the time at which it comes closest to its permitted value.
  struct Miss {
    double residual = 0.0;
    double limit = 0.0;  ///< permitted by errors of the state within the tolerance of the steps, and by rounding
    double size = 0.0;   ///< largest magnitude so far of the compared quantities
    double t = 0.0;
  };
  std::vector<Miss> on_sides;  ///< [surfaces] distance from the region in force, or from a sliding mode's surface
  /// [surfaces] While no region is in force: distance from the region in which the step began.
  std::vector<Miss> as_stated;
  std::vector<Miss> slides;  ///< [slides] speed against the slip direction; excess of a sticking force over its
                             ///< bound
  long instants = 0;         ///< number of instants checked
};

}  // namespace vinculum::sim
