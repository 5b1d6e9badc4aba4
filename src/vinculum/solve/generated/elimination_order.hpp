#pragma once

#include <vector>

namespace vinculum::solve {

/// Graph of the matrix K = [M Aᵀ; A 0]: nodes 0 … coordinates − 1, then one node per row.
using Touches = std::vector<std::vector<int>>;  ///< [nodes] neighbors; each pair is listed twice

/// Order of elimination: always the remaining node with the fewest neighbors; among equals, the one with the lowest
/// index. A row (a constraint equation) is eliminated after the coordinates on which it acts, so that its pivot is the
/// response to a force along the row.
///
/// If M couples coordinates, a row gets more neighbors when coordinates are eliminated. Two orders are compared. In the
/// first, a row is eliminated after all coordinates that have become its neighbors, and its pivot is a pivot of A M⁻¹
/// Aᵀ. In the second, a row is eliminated after its own coordinates only. For a chain of uniform rods that are
/// described by the positions of their ends, the second order couples no distant nodes. The second order is used if it
/// takes less than half of the operations of the first.
/// \returns all nodes.   Source: Markowitz 1957, Tinney & Walker 1967.
[[nodiscard]] std::vector<int> elimination_order(const Touches& touches, int coordinates);

}  // namespace vinculum::solve
