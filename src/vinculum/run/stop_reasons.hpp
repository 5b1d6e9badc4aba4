#pragma once

#include "vinculum/base/failure.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/run/recording.hpp"

namespace vinculum::sim {

/// Rewrites the message of a kStepTooSmall failure with the names of the model instead of component numbers. If a
/// coordinate, speed or state grows without bound (finite escape time, as x = 1/(1 − t)), the message reports this.
/// \param at  state of the run before the stop
/// \param beside [ny]  magnitudes to which errors are relative
/// \param t_end  end of the run
void describe_stop(Dynamics& dynamics, const RunState& at, ConstVector beside, double t_end, Failure& failure);

}  // namespace vinculum::sim
