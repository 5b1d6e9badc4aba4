#pragma once

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// A run as event sources see it. Scales are set in `dynamics`; all of it outlives them.
struct Watched {
  Dynamics& dynamics;
  const Mode& mode;           ///< in force, at any time
  double tolerance;           ///< of the run
  double duration;            ///< [s]
  double largest_step = 0.0;  ///< [s] that a step may have; 0: none
};

}  // namespace vinculum::sim
