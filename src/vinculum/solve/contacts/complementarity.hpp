#pragma once

#include <optional>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::solve {

/// Solution of a complementarity problem; see `solve_complementarity`.
struct ComplementarySolution {
  Vector x, w;            ///< [n]
  bool is_unique = true;  ///< false: other x exist, with the same w
};

/// Solves the linear complementarity problem of a symmetric, positive semidefinite G:
///
///   w = G x + b,   x ≥ 0,   w ≥ 0,   x_i w_i = 0 for all i
///
/// w is unique. If G is singular, x need not be unique. Of all solutions, the x with the least Σ x_i²/share_i is
/// returned. The solution is found by an active-set method, which follows the minimum of ½ xᵀG x + b·x over x ≥ 0.
/// \param G      [n×n] scaled so that its diagonal entries are of order 1 or less. A row whose diagonal entry is below
///               `tolerance::kDerivedRank` counts as 0.
/// \param b      [n] scaled so that its largest entry is of order 1.
/// \param share  [n] > 0.
/// \param noise  rounding error of b. A w_i counts as 0 if it is below this or below 1e-11 × the largest b_i and x_i.
/// \returns nothing if no solution exists, that is if w ≥ 0 is impossible for all x ≥ 0.
/// \cost O(n³) per change of the active set; as a rule at most n changes.
/// Source: Cottle, Pang & Stone, The linear complementarity problem (1992), §3.1 and 5.2; docs/theory.md §10.3.
/// Test: complementarity_test.cpp.
[[nodiscard]] std::optional<ComplementarySolution> solve_complementarity(const Matrix& G, const Vector& b,
                                                                         const Vector& share, double noise = 0.0);

/// Solves the complementarity problem w = M z + q, z ≥ 0, w ≥ 0, z_i w_i = 0 for any M by Lemke's method, with the
/// lexicographic rule, so that degenerate problems do not cycle.
/// \returns [n] z, or nothing if the method ends in a ray. For the planar friction problem of contacts at rest it ends
/// with a solution.   \cost O(n²) per pivot, as a rule some n pivots.
/// Source: Cottle, Pang & Stone, The linear complementarity problem (1992), §4.4 and 4.9.
/// Test: complementarity_test.cpp.
[[nodiscard]] std::optional<Vector> solve_by_lemke(const Matrix& M, const Vector& q);

}  // namespace vinculum::solve
