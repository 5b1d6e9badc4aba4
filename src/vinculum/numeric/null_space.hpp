#pragma once

#include <vector>

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::numeric {

/// Orthonormal basis of ker A by column-pivoted QR of the row-equilibrated Aᵀ, [nu × (nu − rank)]. Allocates.
/// \param A [nc×nu]; nc = 0 gives the identity.  \param tol_rank as in `rank_threshold`.
[[nodiscard]] Matrix null_space(ConstMatrix A, double tol_rank);

/// Basis of ker Aᵀ in the rows' own units, [nc × (nc − rank)]: combinations of multipliers without any effect. Its
/// columns are orthonormal in row-equilibrated units (Euclidean lengths of the rows of A). Allocates.
[[nodiscard]] Matrix left_null_space(ConstMatrix A, double tol_rank);

/// Basis of ker A for reading: column k moves unknown free[k] by 1 and no other free one.
struct EchelonBasis {
  Matrix Z;               ///< [nu × (nu − rank)]
  std::vector<int> free;  ///< [nu − rank] ascending
};
/// By elimination with complete pivoting, so that no entry is needlessly large: unknown j in units of 1/weight_j.
/// Allocates.
/// \param A [nc×nu]  \param weight [nu] > 0  \param rank  of A, decided elsewhere (`null_space`, PivotedQr).
[[nodiscard]] EchelonBasis echelon_null_space(ConstMatrix A, ConstVector weight, int rank);

/// Replaces the columns of N by an orthonormal basis of their span (modified Gram–Schmidt, twice). Columns must be
/// linearly independent. Allocates nothing.
void orthonormalize_columns(MatrixRef N);

}  // namespace vinculum::numeric
