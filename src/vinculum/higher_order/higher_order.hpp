#pragma once

#include <memory>

#include "vinculum/base/outcome.hpp"
#include "vinculum/equations/system.hpp"

namespace vinculum::reaction_laws {

/// Structure of a model with constraints F(q, q', …, q^(p)) = 0 of higher order (Kept::kByDerivatives), p ≥ 2:
///
///   d/dt L_q' − L_q = D + R + Aᵀλ,   R = Σ_l (−1)^l d^l/dt^l (μ ∂F/∂q^(l)),   F = 0, and rows, states and other laws
///   beside
///
/// How often each equation is to be differentiated and which derivatives of coordinates, μ and λ are then found at once
/// is told by Pryce's Σ-method (numeric/sigma_method.hpp), from derivatives that vanish generically
/// (equations/sampling.hpp). Derivatives below these become states: they join `z`. The System returned has `higher`,
/// and what reports ask for: generalized forces, effective energy, u''; where no constraint is of higher order it is
/// the one given.
/// \pre the system is derived.
/// \returns kNotUnique where it stands beside a law it cannot be solved with (efforts, non-ideal forces, rows not
/// linear in u');
///          kSingularByMultipliers, naming constraints and unknowns, where no structure or no regular J exists.
/// Source: [S] 3.36–3.39; Pryce 2001; theory.md §6.5.   Second route: motion/higher_order_test.cpp, tests/reference.
[[nodiscard]] Outcome<std::shared_ptr<equations::System>> close(std::shared_ptr<equations::System> derived);

}  // namespace vinculum::reaction_laws
