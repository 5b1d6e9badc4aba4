#pragma once

#include <vector>

#include "vinculum/equations/system.hpp"

namespace vinculum::equations {

enum class Integrability { kNone, kInSet, kByItself };

/// Which velocity-level rows are semi-holonomic: linear or affine in the velocities, and closed in the sense of
/// Frobenius, by themselves (kByItself) or as part of a set of rows (kInSet).
///
/// A row is the form θ_a = ω_a dq + β_a dt; with x = (q, t) and γ_a,ij = ∂θ_aj/∂x_i − ∂θ_ai/∂x_j a set of rows is
/// closed when Zᵀ γ_a Z = 0 for all of them, Z a basis of the kernel of the set. Rows of position level and the norms
/// of quaternions belong to every set, also to that of one row. Rows that are not closed are taken out of the set until
/// the rest is closed: the largest closed set of rows as they are stated; for combinations of them see
/// derived_flag.hpp.
///
/// Tested at random states that satisfy the position-level rows; where none is found no row is called semi-holonomic.
/// \returns [rows]   Source: [S] 3.5; theory.md §2.
[[nodiscard]] std::vector<Integrability> find_semiholonomic_rows(const System& system);

}  // namespace vinculum::equations
