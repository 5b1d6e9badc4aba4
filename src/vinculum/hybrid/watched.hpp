#pragma once

#include <span>

#include "vinculum/hybrid/played_inputs.hpp"
#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Data of a run that its event sources use. The typical sizes in `dynamics` are set; all references outlive the
/// sources.
struct Watched {
  Dynamics& dynamics;
  const Mode& mode;           ///< present mode of the run; changes during the run
  double tolerance;           ///< relative tolerance of the run
  double duration;            ///< [s] duration of the run
  double largest_step = 0.0;  ///< [s] largest allowed step; 0: no limit
  double t_end = 0.0;         ///< [s] end of the run
  bool is_continued = false;  ///< the run continues an earlier one: events at its start have happened already
  std::span<const InputRecord> inputs = {};
};

}  // namespace vinculum::sim
