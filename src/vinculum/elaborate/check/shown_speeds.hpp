#pragma once

#include <span>
#include <vector>

#include "vinculum/mechanics/model.hpp"
#include "vinculum/mechanics/term.hpp"

namespace vinculum::elaborate {

/// Generalized forces over the speeds that texts show (mechanics::shown_speeds) from those over `Model::speeds`: with
/// p = w(u), Q_u = (∂w/∂u)ᵀ Q_p. Exact, of the terms' own arithmetic.
[[nodiscard]] std::vector<mechanics::Term> forces_over_shown_speeds(const mechanics::Model& model,
                                                                    std::span<const mechanics::Term> forces);
/// Accelerations likewise: of a nonlinear speed U' + Σ ∂U/∂p_j (a_j − p_j').
[[nodiscard]] std::vector<mechanics::Term> accelerations_of_shown_speeds(
    const mechanics::Model& model, std::span<const mechanics::Term> accelerations);

}  // namespace vinculum::elaborate
