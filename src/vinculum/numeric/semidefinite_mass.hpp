#pragma once

#include "vinculum/base/failure.hpp"
#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/numeric/sparse_matrix.hpp"

namespace vinculum::numeric {

/// Weights of the equivalent regular problem H = M + AᵀWA, h = f + AᵀWb. It has exactly the solution of (M, f), and is
/// positive definite if and only if ker M ∩ ker A = 0.
///
/// \  W_i = 1 / Σ_j A_ij² / M_jj   over the coordinates with mass; mean(diag M) / |A_i|² if the row touches none
///
/// Each row then has the weight of the inertia it acts on, so that neither digits of M nor of the row are lost,
/// whatever the units of rows and coordinates.
/// \param M [nu×nu] only the diagonal is read.  \param A [nc×nu].  \param W [nc] out; 0 for a row of zeros.
/// Source: [UP]; García de Jalón & Gutiérrez-López 2013; theory.md §3.3.
void semidefinite_weights(ConstMatrix M, ConstMatrix A, VectorRef W);
/// As above for sparse rows. \param At [nu×nc] a column per row.   \returns [nc], the same bits.
[[nodiscard]] Vector semidefinite_weights(const SparseMatrix& M, const SparseMatrix& At);

/// H ← H + AᵀWA, lower triangle only. \cost O(nu² nc), less if A has zeros.
void add_weighted_rows(ConstMatrix A, ConstVector W, MatrixRef H);

/// The failure for a mass matrix whose null space is not covered by A: kUndetermined with the coordinates that take
/// part in ker M ∩ ker A. If there is no such direction, M is indefinite, and the message says so. Allocates.
/// \param M [nu×nu] only the lower triangle is read.  \param pivot  coordinate at which the factorization of H stopped.
[[nodiscard]] Failure undetermined_motion(ConstMatrix M, ConstMatrix A, int pivot);

}  // namespace vinculum::numeric
