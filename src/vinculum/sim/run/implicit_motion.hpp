#pragma once

#include <memory>

#include "vinculum/integrate/implicit_problem.hpp"
#include "vinculum/integrate/problem.hpp"
#include "vinculum/sim/plant/dynamics.hpp"

namespace vinculum::sim {

/// The motion of a plant for implicit methods: what `problem` evaluates, linearised exactly from the graph
/// (MotionGradient). By differences where that says nothing: friction that may stick, least efforts, forces stated by
/// ideal reactions, a motion along a surface.
/// \param problem, dynamics  outlive it.
[[nodiscard]] std::shared_ptr<integrate::ImplicitProblem> implicit_motion(const integrate::Problem& problem,
                                                                          const Dynamics& dynamics);

}  // namespace vinculum::sim
