#pragma once

#include <span>

#include "vinculum/compiled/structure.hpp"

namespace vinculum::sim {

/// States near the start as stated, at which a model's structure is analysed.
struct RandomStates {
  std::vector<expr::Expr> inputs;           ///< t, q, u, z, parameters
  std::vector<std::vector<double>> values;  ///< [states][inputs]
};

/// Three random states around the values that `start` names (0 for the rest), where M, f, A, b, φ and ψ are finite; the
/// distance shrinks until they are. They satisfy the constraints wherever Newton's iteration finds its way onto them,
/// so that rows which depend on each other there are seen to.
/// \param embedding  of the rows with these values.   \param parameters  their values.  \returns kNonFinite with the
/// culprit where no such state was found.   \pre rows and start values of the structure are known.
[[nodiscard]] Outcome<RandomStates> random_states(const Structure& structure, const std::vector<Embedding>& embedding,
                                                  unsigned seed, std::span<const double> parameters);

/// Up to three states in reach of the start whether they satisfy the constraints or not, but for quaternions, which
/// have unit norm: what holds at these holds by the choice of coordinates. \param finite  expressions that are finite
/// there.
[[nodiscard]] RandomStates states_anywhere(const Structure& structure, unsigned seed,
                                           std::span<const double> parameters, std::span<const expr::Expr> finite);

}  // namespace vinculum::sim
