#pragma once

#include "vinculum/compare/compare.hpp"

namespace vinculum::compare {

/// The laws to which a ladder's law tends, the variant it is measured from, and the observed order between neighbours:
/// the logarithm of the ratio of distances over that of the parameter's values. Distances that are within a hundred
/// tolerances of nothing give no order.
///
/// Which limits theory knows is told by the laws (Law::limit); distances of coordinates are of order 1 in all
/// (theory.md §6.8).
/// \pre `comparison` has its quantities and values.
[[nodiscard]] LadderResult climb(const std::vector<Variant>& variants, const Ladder& ladder,
                                 const Comparison& comparison);

/// How far variant b is from variant a in one quantity, and of a group relative to the scales of its quantities.
[[nodiscard]] Parting parting(const Comparison& comparison, std::size_t a, std::size_t b, std::size_t quantity);
[[nodiscard]] Parting parting(const Comparison& comparison, std::size_t a, std::size_t b, Group group);

}  // namespace vinculum::compare
