#pragma once

#include <vector>

namespace vinculum::sim {

/// How far a motion lies on the wrong side of its switching surfaces, and beyond the limits of stick and slip
/// (theory.md §10.5).
struct SideBalance {
  /// The excess where it comes closest to its limit.
  struct Miss {
    double residual = 0.0;
    double limit = 0.0;  ///< allowed by errors of the state within the tolerance of the steps, and by rounding
    double size = 0.0;   ///< of the quantities compared, along the run so far
    double t = 0.0;
  };
  std::vector<Miss> on_sides;   ///< [surfaces] on another side than the one in force, or off a surface of the sliding
                                ///< mode
  std::vector<Miss> as_stated;  ///< [surfaces] on both sides within a step in which no side was in force
  std::vector<Miss> slides;     ///< [slides] against the friction direction; for sticking contacts the force above its
                                ///< bound
  long instants = 0;            ///< number of instants checked
};

}  // namespace vinculum::sim
