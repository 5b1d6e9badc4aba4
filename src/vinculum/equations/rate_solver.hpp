#pragma once

#include <span>
#include <vector>

#include "vinculum/base/outcome.hpp"
#include "vinculum/equations/sampling.hpp"

namespace vinculum::equations {

using ExprMatrix = std::vector<std::vector<expr::Expr>>;

/// Inverse of a generically regular square matrix of expressions.
///
/// Pivots free of `variables` are eliminated first, then rows and columns with a single entry, so that a division
/// appears only where the determinant has that factor. The rest is split into independent blocks, each inverted as
/// adjugate over determinant. A determinant with the same integer value at all random states is replaced by that
/// integer (cos² + sin²). Blocks larger than `kLargestAdjugate` are eliminated with the largest pivots at random
/// states.
/// \param variables  coordinates and time: a pivot that depends on them may vanish during a motion.
/// \returns the inverse, or kSingularKinematics with the dependent rows in `coordinates`.
[[nodiscard]] Outcome<ExprMatrix> invert(const ExprMatrix& matrix, std::span<const expr::Expr> variables,
                                         const Sampler& sampler);

inline constexpr std::size_t kLargestAdjugate = 4;

}  // namespace vinculum::equations
