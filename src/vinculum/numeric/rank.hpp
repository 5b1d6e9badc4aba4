#pragma once

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::numeric {

/// Relative size of a diagonal entry of R below which a row of unit length depends on those before it:
/// max(tol_rank, 20 max(nu, nc) ε). Small on purpose: between 1e-13 and 1e-9 the factorization still delivers digits,
/// and a wide zone would regularise silently. Source: measured error ε/s of Cholesky with pivoted QR, s = σ_min/σ_max.
[[nodiscard]] double rank_threshold(double tol_rank, int nu, int nc);

/// Scales d_i = 1/|B_i| that make the rank independent of the units of each constraint; 1 for rows of zeros. No row is
/// judged by its length against another's: units of rows may lie any number of powers of ten apart.
/// \param lengths [nc] Euclidean lengths of the rows, finite; 0 where the row has no effect.
void equilibrate_rows(ConstVector lengths, VectorRef scales);

}  // namespace vinculum::numeric
