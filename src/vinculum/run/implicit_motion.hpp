#pragma once

#include <memory>

#include "vinculum/integrate/implicit_problem.hpp"
#include "vinculum/integrate/problem.hpp"
#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// The motion of a compiled model for implicit methods: what `problem` evaluates, linearised exactly from the graph
/// (MotionGradient). By differences where that says nothing: friction that may stick, least efforts, forces stated by
/// ideal reactions, a motion along a surface.
/// Forces of springs and of laws that make a force of a constraint are unknowns of their own (lifted_motion.hpp) where
/// equations do not switch.
/// \param problem, bound, mode, evaluations  outlive it; the mode is in force at any time.   \param evaluations  those
/// that do not go by `problem`.
[[nodiscard]] std::shared_ptr<integrate::ImplicitProblem> implicit_motion(const integrate::Problem& problem,
                                                                          const Binding& bound, const Mode& mode,
                                                                          long& evaluations);

}  // namespace vinculum::sim
