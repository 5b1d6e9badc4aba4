#pragma once

#include <vector>

namespace vinculum::solve {

/// Graph of the matrix K = [M Aᵀ; A 0]: nodes 0 … coordinates − 1, then one node per row.
using Touches = std::vector<std::vector<int>>;  ///< [nodes] neighbors; each pair is listed twice

/// Order of elimination: always the remaining node with the fewest neighbors, the first one among equals. A row comes
/// after the coordinates on which it acts, so that its pivot is the effect of forces along the row.
///
/// If M couples coordinates, a row gets more neighbors as these are eliminated. Two orders are compared. In the first a
/// row waits for all these coordinates, and its pivot is one of A M⁻¹ Aᵀ. In the second it waits only for its own
/// coordinates; the others are then held fixed meanwhile, and rows add stiffness to their neighbors. Along a chain of
/// bodies with shared inertia (uniform rods described by the positions of their ends) the second order couples nothing
/// with distant nodes. It is used if it takes less than half of the operations.
/// \returns all nodes.   Source: Markowitz 1957, Tinney & Walker 1967.
[[nodiscard]] std::vector<int> elimination_order(const Touches& touches, int coordinates);

}  // namespace vinculum::solve
