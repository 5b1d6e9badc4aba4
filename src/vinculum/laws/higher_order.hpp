#pragma once

#include <optional>

#include "vinculum/base/failure.hpp"
#include "vinculum/dynamics/system.hpp"

namespace vinculum::laws {

/// Structure of a model with constraints F(q, q', …, q^(p)) = 0 of higher order under Hamilton–Lusternik, p = 2 or 3:
///
///   d/dt L_q' − L_q = D + R + Aᵀλ,   R = Σ_l (−1)^l d^l/dt^l (μ ∂F/∂q^(l)),   F = 0, and rows, states and other laws
///   beside
///
/// How often each equation is to be differentiated and which derivatives of coordinates, μ and λ are then found at once
/// is told by Pryce's Σ-method (numeric/sigma_method.hpp), from derivatives that vanish generically
/// (dynamics/sampling.hpp). Derivatives below these become states: they join `z`. Fills `System::higher`, and what
/// reports ask for: generalized forces, effective energy, u''. Does nothing where no constraint is of higher order.
/// \pre the system is derived.
/// \returns kNotUnique where it stands beside a law it cannot be solved with (efforts, non-ideal forces, rows not
/// linear in u');
///          kVakonomicSingular, naming constraints and unknowns, where no structure or no regular J exists.
/// Source: [S] 3.36–3.39; Pryce 2001; theory.md §6.5.   Second route: sim/higher_order_test.cpp, tests/reference.
[[nodiscard]] std::optional<Failure> write_higher_order(dynamics::System& system);

}  // namespace vinculum::laws
