#pragma once

#include <vector>

namespace vinculum::sim {

/// What of a motion lies beyond the surfaces at which its equations switch, and beyond what lets friction stick or
/// slide as it does (theory.md §10.5).
struct SideBalance {
  /// The way beyond, where that comes closest to its limit.
  struct Miss {
    double residual = 0.0;
    double limit = 0.0;  ///< that errors of the state within the tolerance of the steps, and rounding, leave
    double size = 0.0;   ///< of what is compared, along the run so far
    double t = 0.0;
  };
  std::vector<Miss> on_sides;   ///< [surfaces] on another side than the one in force, or off one that it goes along
  std::vector<Miss> as_stated;  ///< [surfaces] on both sides within a step, where none was in force
  std::vector<Miss> slides;     ///< [slides] against its direction; of what sticks the force above its bound
  long instants = 0;            ///< looked at
};

}  // namespace vinculum::sim
