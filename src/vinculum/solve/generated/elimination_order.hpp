#pragma once

#include <vector>

namespace vinculum::solve {

/// Which nodes of K = [M Aᵀ; A 0] touch: nodes 0 … coordinates − 1, then a node a row.
using Touches = std::vector<std::vector<int>>;  ///< [nodes] each other twice

/// In which order to eliminate them: always the open node that touches fewest others, the first of them. A row comes
/// after the coordinates that it acts on, so that what is left of it is what forces along it do to it.
///
/// Where coordinates are coupled through M a row touches more and more of them as these are eliminated. Either it waits
/// for all of them, and its pivot is one of A M⁻¹ Aᵀ; or only for its own: the others then are held meanwhile, rows
/// stiffen what they touch, and along a chain of bodies with a common inertia (uniform rods by the places of their
/// ends) nothing is coupled with what is far away. The latter is taken where it costs less than half.
/// \returns all nodes.   Source: Markowitz 1957, Tinney & Walker 1967.
[[nodiscard]] std::vector<int> elimination_order(const Touches& touches, int coordinates);

}  // namespace vinculum::solve
