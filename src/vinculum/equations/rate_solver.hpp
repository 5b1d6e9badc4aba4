#pragma once

#include <span>
#include <vector>

#include "vinculum/base/outcome.hpp"
#include "vinculum/equations/sampling.hpp"

namespace vinculum::equations {

using ExprMatrix = std::vector<std::vector<expr::Expr>>;

/// Inverse of a square matrix of expressions that is regular at almost all states.
///
/// Pivots that do not depend on `variables` are eliminated first, then rows and columns with a single nonzero entry. So
/// a division by an expression occurs only if the determinant contains it as a factor. The remaining matrix is split
/// into independent blocks, each of which is inverted as adjugate over determinant. A determinant with the same integer
/// value at all random states (cos² + sin²) is replaced by that integer. Blocks larger than `kLargestAdjugate` are
/// eliminated; their pivots are the largest ones at random states.
/// \param variables  coordinates and time. A pivot that depends on them may vanish during a motion.
/// \returns the inverse, or kSingularKinematics with the dependent rows in `coordinates`
[[nodiscard]] Outcome<ExprMatrix> invert(const ExprMatrix& matrix, std::span<const expr::Expr> variables,
                                         const Sampler& sampler);

inline constexpr std::size_t kLargestAdjugate = 4;

}  // namespace vinculum::equations
