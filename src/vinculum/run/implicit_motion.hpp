#pragma once

#include <memory>

#include "vinculum/integrate/implicit_problem.hpp"
#include "vinculum/integrate/problem.hpp"
#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Returns the motion of a compiled model in the form that implicit integration methods need. It evaluates `problem`,
/// with exact derivatives from the expression graph (MotionGradient). Finite differences replace the exact derivatives
/// where these are not available: with friction that may stick, least efforts, forces stated by ideal reactions, or a
/// sliding mode. If the equations contain no switching expressions, the stiff forces of springs and constraints become
/// additional unknowns (lifted_motion.hpp).
/// \param problem, bound, mode, evaluations  must outlive the result. `mode` is the mode in force whenever the result
/// is evaluated; `evaluations` counts the evaluations that do not call `problem`.
[[nodiscard]] std::shared_ptr<integrate::ImplicitProblem> implicit_motion(const integrate::Problem& problem,
                                                                          const Binding& bound, const Mode& mode,
                                                                          long& evaluations);

}  // namespace vinculum::sim
