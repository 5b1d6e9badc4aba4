#pragma once

#include <span>

#include "vinculum/compiled/structure.hpp"

namespace vinculum::sim {

/// Random states near the stated start, at which the structure of a model is analyzed.
struct RandomStates {
  std::vector<expr::Expr> inputs;           ///< t, q, u, z, parameters
  std::vector<std::vector<double>> values;  ///< [states][inputs]
};

/// Three random states near the stated start values (0 if none is stated) at which M, f, A, b, φ and ψ are finite. The
/// distance from the start is reduced until they are. States are projected onto the constraints if Newton's iteration
/// converges, so that rows are found that depend on each other only at states that satisfy the constraints.
/// \param embedding  which rows are identically satisfied for these parameter values.
/// \param parameters  values of the parameters.
/// \returns kNonFinite, with the expression that is not finite, if no such state was found.
/// \pre the structure has its rows and start values.
[[nodiscard]] Outcome<RandomStates> random_states(const Structure& structure, const std::vector<Embedding>& embedding,
                                                  unsigned seed, std::span<const double> parameters);

/// Up to three states near the start that need not satisfy the constraints, except that quaternions have unit norm. An
/// identity that holds at these states follows from the choice of coordinates alone.
/// \param finite  expressions that must be finite at these states.
[[nodiscard]] RandomStates states_anywhere(const Structure& structure, unsigned seed,
                                           std::span<const double> parameters, std::span<const expr::Expr> finite);

}  // namespace vinculum::sim
