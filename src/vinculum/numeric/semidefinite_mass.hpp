#pragma once

#include "vinculum/base/failure.hpp"
#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/numeric/sparse_matrix.hpp"

namespace vinculum::numeric {

/// Computes weights W for which H = M + AᵀWA can replace M, and h = f + AᵀWb can replace f. The solution stays exactly
/// the same. H is positive definite if and only if ker M ∩ ker A = 0.
///
/// \  W_i = 1 / (Σ_j A_ij² / M_jj)   over the coordinates j with mass; mean(diag M) / |A_i|² if there are none
///
/// Then A_iᵀ W_i A_i is as large as the inertia on which row i acts. So the sum H loses no digits of M or of the row,
/// whatever the units of rows and coordinates.
/// \param M [nu×nu] only the diagonal is read.  \param A [nc×nu].  \param W [nc] out; 0 for a row of zeros.
/// Source: [UP]; García de Jalón & Gutiérrez-López 2013; theory.md §3.3.
void semidefinite_weights(ConstMatrix M, ConstMatrix A, VectorRef W);
/// The weights W for sparse M and A, with the same bits. \param At [nu×nc] Aᵀ: a column per row.   \returns [nc]
[[nodiscard]] Vector semidefinite_weights(const SparseMatrix& M, const SparseMatrix& At);

/// H ← H + AᵀWA, lower triangle only. \cost O(nu² nc), less if A has zeros.
void add_weighted_rows(ConstMatrix A, ConstVector W, MatrixRef H);

/// The failure if ker M ∩ ker A ≠ 0: kUndetermined, with the coordinates that have a component in that null space. If
/// the null space is 0, M is indefinite, and the message says so. Allocates.
/// \param M [nu×nu] only the lower triangle is read.  \param pivot  coordinate at which the factorization of H stopped.
[[nodiscard]] Failure undetermined_motion(ConstMatrix M, ConstMatrix A, int pivot);

}  // namespace vinculum::numeric
