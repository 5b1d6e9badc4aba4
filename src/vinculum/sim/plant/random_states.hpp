#pragma once

#include <span>

#include "vinculum/sim/plant/structure.hpp"

namespace vinculum::sim {

/// States near the start as stated, at which a model's structure is analysed.
struct RandomStates {
  std::vector<expr::Expr> inputs;           ///< t, q, u, parameters
  std::vector<std::vector<double>> values;  ///< [states][inputs]
};

/// Three random states around the values that `start` names (0 for the rest), where M, f, A, b, φ and ψ are finite; the
/// distance shrinks until they are. They satisfy the constraints wherever Newton's iteration finds its way onto them,
/// so that rows which depend on each other there are seen to.
/// \param parameters  their values.  \returns kNonFinite with the culprit where no such state was found.   \pre rows
/// and start values of the structure are known.
[[nodiscard]] Outcome<RandomStates> random_states(const Structure& structure, unsigned seed,
                                                  std::span<const double> parameters);

}  // namespace vinculum::sim
