#pragma once

#include "vinculum/base/failure.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/run/recording.hpp"

namespace vinculum::sim {

/// Writes the message of a failure that the integrator reports by numbers of components in the names of the model.
/// Steps that fall below the resolution of time because a coordinate or a state grows without bound (a finite escape
/// time: x = 1/(1 − t)) are said to do so.
/// \param at  the run before the stop.   \param beside [ny] sizes beside which errors count.   \param t_end  of the run
void describe_stop(Dynamics& dynamics, const RunState& at, ConstVector beside, double t_end, Failure& failure);

}  // namespace vinculum::sim
