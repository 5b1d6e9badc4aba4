#pragma once

#include <vector>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::numeric {

/// Returns an orthonormal basis of ker A, [nu × (nu − rank)], by column-pivoted QR of Aᵀ after the rows of A are scaled
/// to unit length. Allocates.
/// \param A [nc×nu]; nc = 0 gives the identity.  \param tol_rank as in `rank_threshold`.
[[nodiscard]] Matrix null_space(ConstMatrix A, double tol_rank);

/// Basis of ker Aᵀ, [nc × (nc − rank)]: combinations of multipliers that exert no force. Entry i has the unit of the
/// multiplier of row i. Divided by the scales 1/|A_i| of the rows, the columns are orthonormal. Allocates.
[[nodiscard]] Matrix left_null_space(ConstMatrix A, double tol_rank);

/// Basis of ker A for people to read: column k moves unknown `free[k]` by 1 and no other free unknown.
struct EchelonBasis {
  Matrix Z;               ///< [nu × (nu − rank)] the basis, one vector per column
  std::vector<int> free;  ///< [nu − rank] indices of the free unknowns, ascending
};
/// Basis of ker A by elimination with complete pivoting. Its entries are small if unknown j is measured in units of
/// 1/weight_j. Allocates.
/// \param A [nc×nu]  \param weight [nu] > 0  \param rank  rank of A, from `null_space` or PivotedQr.
[[nodiscard]] EchelonBasis echelon_null_space(ConstMatrix A, ConstVector weight, int rank);

/// Replaces the columns of N by an orthonormal basis of their span (modified Gram–Schmidt, twice). Columns must be
/// linearly independent. Allocates nothing.
void orthonormalize_columns(MatrixRef N);

}  // namespace vinculum::numeric
