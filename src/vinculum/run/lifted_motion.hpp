#pragma once

#include <memory>

#include "vinculum/compiled/binding.hpp"
#include "vinculum/integrate/implicit_problem.hpp"
#include "vinculum/integrate/problem.hpp"

namespace vinculum::sim {

/// Returns the motion of a compiled model for implicit integration methods, with the forces of its elastic and viscous
/// elements as additional unknowns (lifted_equations.hpp).
/// \param problem, bound, evaluations  must outlive the result. `evaluations` counts the evaluations that are part of
/// the motion (Use::kMoves).
/// \returns null if there are no such forces, or if the equations contain switching expressions: only the form without
/// force unknowns takes the regions in force into account.
[[nodiscard]] std::shared_ptr<integrate::ImplicitProblem> lifted_motion(const integrate::Problem& problem,
                                                                        const Binding& bound, long& evaluations);

}  // namespace vinculum::sim
