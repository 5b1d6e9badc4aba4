#pragma once

#include <memory>

#include "vinculum/compiled/binding.hpp"
#include "vinculum/integrate/implicit_problem.hpp"
#include "vinculum/integrate/problem.hpp"

namespace vinculum::sim {

/// The motion of a compiled model with the forces of its elastic and viscous elements as unknowns
/// (lifted_equations.hpp), for implicit methods.   \returns null where there are none, and where equations switch:
/// sides of surfaces are known to the eliminated form alone.
/// \param problem, bound, evaluations  outlive it.   \param evaluations  counts those that the motion goes on from.
[[nodiscard]] std::shared_ptr<integrate::ImplicitProblem> lifted_motion(const integrate::Problem& problem,
                                                                        const Binding& bound, long& evaluations);

}  // namespace vinculum::sim
