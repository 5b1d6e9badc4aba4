#pragma once

#include <memory>

#include "vinculum/base/outcome.hpp"
#include "vinculum/equations/system.hpp"

namespace vinculum::reaction_laws {

/// Writes the equations of a model with constraints F(q, q', …, q^(p)) = 0 of higher order p ≥ 2
/// (Kept::kByDerivatives):
///
///   d/dt L_q' − L_q = D + R + Aᵀλ,   R = Σ_l (−1)^l d^l/dt^l (μ ∂F/∂q^(l)),   F = 0,
///
/// with the Lagrangian L, the given forces D and the reactions Aᵀλ of ordinary rows. States and rows of other laws are
/// solved together with these equations. Pryce's Σ-method (numeric/sigma_method.hpp) determines how often each equation
/// is differentiated, and for which derivatives of coordinates, μ and λ the system is then solved. A derivative counts
/// as absent from an equation if its coefficient is 0 at all random states (equations/sampling.hpp). Lower derivatives
/// become states, appended to `z`. The result has `System::higher` and the expressions for reports: generalized forces,
/// effective energy, u''. If no constraint is of higher order, the result is `derived` itself.
/// \pre `derived` has its equations of motion and rows.
/// \returns kNotUnique if the model also contains a law that cannot be combined with constraints of higher order
/// (efforts, non-ideal forces, rows that are not linear in u'); kSingularByMultipliers, with constraints and unknowns,
/// if the equations have no transversal (an assignment of each equation to an unknown of its own that it contains), or
/// if the matrix J of the highest derivatives is singular at all sampled states.
/// Source: [S] 3.36–3.39; Pryce 2001; theory.md §6.5.   Independent routes: tests/agreement/higher_order_test.cpp,
/// tests/reference.
[[nodiscard]] Outcome<std::shared_ptr<equations::System>> close(std::shared_ptr<equations::System> derived);

}  // namespace vinculum::reaction_laws
