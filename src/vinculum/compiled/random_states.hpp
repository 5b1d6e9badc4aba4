#pragma once

#include <span>

#include "vinculum/compiled/structure.hpp"

namespace vinculum::sim {

/// Random states near the stated start, at which the structure of a model is analyzed.
struct RandomStates {
  std::vector<expr::Expr> inputs;           ///< t, q, u, z, parameters
  std::vector<std::vector<double>> values;  ///< [states][inputs]
};

/// Three random states around the stated start values (0 where none is stated) at which M, f, A, b, φ and ψ are finite;
/// the distance from the start shrinks until they are. The states satisfy the constraints if Newton's iteration
/// converges, so that rows which depend on each other only there are found.
/// \param embedding  of the rows for these values.   \param parameters  their values.
/// \returns kNonFinite, with the expression at fault, if no such state was found.
/// \pre rows and start values of the structure are known.
[[nodiscard]] Outcome<RandomStates> random_states(const Structure& structure, const std::vector<Embedding>& embedding,
                                                  unsigned seed, std::span<const double> parameters);

/// Up to three states near the start that need not satisfy the constraints, except that quaternions have unit norm. An
/// identity that holds at these states follows from the choice of coordinates. \param finite  expressions that must be
/// finite there.
[[nodiscard]] RandomStates states_anywhere(const Structure& structure, unsigned seed,
                                           std::span<const double> parameters, std::span<const expr::Expr> finite);

}  // namespace vinculum::sim
