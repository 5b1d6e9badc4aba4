#pragma once

#include <span>

#include "vinculum/hybrid/played_inputs.hpp"
#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// What event sources see of a run. The scales are set in `dynamics`; all references outlive the sources.
struct Watched {
  Dynamics& dynamics;
  const Mode& mode;           ///< in force, at any time
  double tolerance;           ///< of the run
  double duration;            ///< [s] of the run
  double largest_step = 0.0;  ///< [s] largest allowed step; 0: no limit
  double t_end = 0.0;         ///< [s] end of the run
  bool is_continued = false;  ///< the run continues a motion: events at its start have happened already
  std::span<const InputRecord> inputs = {};
};

}  // namespace vinculum::sim
