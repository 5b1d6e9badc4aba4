#pragma once

#include <span>
#include <vector>

#include "vinculum/base/outcome.hpp"
#include "vinculum/equations/sampling.hpp"

namespace vinculum::equations {

using ExprMatrix = std::vector<std::vector<expr::Expr>>;

/// Inverse of a square matrix of expressions that is generically regular.
///
/// Entries without `variables` are pivots first, then rows and columns with a single entry, so that a division appears
/// only where the determinant has that factor; what remains falls into blocks, each inverted by its adjugate over its
/// determinant (a determinant that is the same whole number at random states is that number: cos² + sin²). Blocks
/// larger than `kLargestAdjugate` are eliminated with the largest pivots at random states.
/// \param variables  coordinates and time: a pivot that holds one of them may vanish during a motion.
/// \returns the inverse, or kSingularKinematics with the rows that depend on the others in `coordinates`.
[[nodiscard]] Outcome<ExprMatrix> invert(const ExprMatrix& matrix, std::span<const expr::Expr> variables,
                                         const Sampler& sampler);

inline constexpr std::size_t kLargestAdjugate = 4;

}  // namespace vinculum::equations
