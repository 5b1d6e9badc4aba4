#pragma once

#include <span>
#include <vector>

#include "vinculum/model/model.hpp"
#include "vinculum/model/term.hpp"

namespace vinculum::elaborate {

/// Converts generalized forces Q_p on the speeds p of `Model::speeds` to forces Q_u on the speeds u that texts show
/// (model::shown_speeds). With p = w(u), Q_u = (∂w/∂u)ᵀ Q_p. Exact, in terms.
[[nodiscard]] std::vector<model::Term> forces_over_shown_speeds(const model::Model& model,
                                                                std::span<const model::Term> forces);
/// Converts accelerations a of `Model::speeds` to those of the shown speeds. For a nonlinear speed u = U(p), the result
/// is U' + Σ ∂U/∂p_j (a_j − p_j').
[[nodiscard]] std::vector<model::Term> accelerations_of_shown_speeds(const model::Model& model,
                                                                     std::span<const model::Term> accelerations);

}  // namespace vinculum::elaborate
