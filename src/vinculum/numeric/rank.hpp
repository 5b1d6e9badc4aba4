#pragma once

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::numeric {

/// A row depends on earlier rows if its diagonal entry |R_kk| is below this threshold: max(tol_rank, 20 max(nu, nc) ε).
/// Rows have unit length. The threshold is small on purpose: with |R_kk| between 1e-13 and 1e-9 the factorization still
/// gives correct digits, and a larger threshold would silently change the problem.
/// Source: measured error ε/s of Cholesky with pivoted QR, s = σ_min/σ_max.
[[nodiscard]] double rank_threshold(double tol_rank, int nu, int nc);

/// Scales d_i = 1/|B_i| of the rows B_i, which make the rank independent of the units of each constraint; 1 for zero
/// rows. A short row is not dropped: lengths of different rows are not comparable, because their units differ.
/// \param lengths [nc] Euclidean lengths of the rows, finite; 0 if the row has no effect.
void equilibrate_rows(ConstVector lengths, VectorRef scales);

}  // namespace vinculum::numeric
