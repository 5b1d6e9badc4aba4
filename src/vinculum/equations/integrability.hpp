#pragma once

#include <vector>

#include "vinculum/equations/system.hpp"

namespace vinculum::equations {

enum class Integrability { kNone, kInSet, kByItself };

/// Finds the velocity-level rows that are semi-holonomic: linear or affine in the velocities and integrable in the
/// sense of Frobenius, by themselves (kByItself) or as part of a set of rows (kInSet).
///
/// A row is the form θ_a = ω_a dq + β_a dt. With x = (q, t) and γ_a,ij = ∂θ_aj/∂x_i − ∂θ_ai/∂x_j, a set of rows is
/// closed if Zᵀ γ_a Z = 0 for each of them, Z a basis of the kernel of the set. Position-level rows and the norms of
/// quaternions belong to every set, also to the set of a single row. Rows that are not closed are removed until the
/// rest is closed; this yields the largest closed set of the rows as stated. For combinations of rows see
/// derived_flag.hpp.
///
/// Tested at random states that satisfy the position-level rows. If no such state is found, no row is called
/// semi-holonomic.
/// \returns [rows]   Source: [S] 3.5; theory.md §2.
[[nodiscard]] std::vector<Integrability> find_semiholonomic_rows(const System& system);

}  // namespace vinculum::equations
