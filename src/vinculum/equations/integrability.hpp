#pragma once

#include <vector>

#include "vinculum/equations/system.hpp"

namespace vinculum::equations {

enum class Integrability { kNone, kInSet, kByItself };

/// Finds the velocity-level rows that are semi-holonomic: linear or affine in the velocities, and integrable in the
/// sense of Frobenius. A row may be integrable by itself (kByItself) or as a member of a set of rows (kInSet).
///
/// A row is the form θ_a = ω_a dq + β_a dt. With x = (q, t) and γ_a,ij = ∂θ_aj/∂x_i − ∂θ_ai/∂x_j, a set of rows is
/// closed if Zᵀ γ_a Z = 0 for each row a, where Z is a basis of the kernel of the set. Every set, also that of a single
/// row, includes the position-level rows and the norms of quaternions. Rows that are not closed are removed until the
/// remaining set is closed. This yields the largest closed set of the rows as stated. derived_flag.hpp also considers
/// combinations of rows.
///
/// The test uses random states that satisfy the position-level rows. If no such state is found, no row counts as
/// semi-holonomic.
/// \returns [rows]   Source: [S] 3.5; theory.md §2.
[[nodiscard]] std::vector<Integrability> find_semiholonomic_rows(const System& system);

}  // namespace vinculum::equations
