#pragma once

#include <span>
#include <vector>

#include "vinculum/model/model.hpp"
#include "vinculum/model/term.hpp"

namespace vinculum::elaborate {

/// Converts generalized forces over `Model::speeds` to the speeds shown in texts (model::shown_speeds): with p = w(u),
/// Q_u = (∂w/∂u)ᵀ Q_p. Exact, in terms.
[[nodiscard]] std::vector<model::Term> forces_over_shown_speeds(const model::Model& model,
                                                                std::span<const model::Term> forces);
/// Converts accelerations likewise: for a nonlinear speed U' + Σ ∂U/∂p_j (a_j − p_j').
[[nodiscard]] std::vector<model::Term> accelerations_of_shown_speeds(const model::Model& model,
                                                                     std::span<const model::Term> accelerations);

}  // namespace vinculum::elaborate
