#pragma once

#include "vinculum/base/failure.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/run/recording.hpp"

namespace vinculum::sim {

/// Writes the message of a kStepTooSmall failure with the names of the model, instead of numbers of components. If a
/// coordinate, speed or state grows without bound (finite escape time, as x = 1/(1 − t)), the message says so.
/// \param at  the run before the stop
/// \param beside [ny]  sizes that errors are relative to
/// \param t_end  of the run
void describe_stop(Dynamics& dynamics, const RunState& at, ConstVector beside, double t_end, Failure& failure);

}  // namespace vinculum::sim
