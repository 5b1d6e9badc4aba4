#pragma once

#include "vinculum/compare/compare.hpp"

namespace vinculum::compare {

/// Evaluates a ladder: the limit of its law, the variant relative to which differences are taken, and the observed
/// order between neighboring variants, log(ratio of differences) / log(ratio of parameter values). Differences below
/// 100 times the tolerance of the run yield no order.
///
/// The laws themselves state their limits (Law::limit). For every known limit, theory predicts convergence of the
/// coordinates with order 1 (theory.md §6.8).
/// \pre `comparison` has its quantities and values.
[[nodiscard]] LadderResult climb(const std::vector<Variant>& variants, const Ladder& ladder,
                                 const Comparison& comparison);

/// Computes the difference of variant b from variant a: of one quantity, or the largest difference in a group relative
/// to the scales of its quantities.
[[nodiscard]] Parting parting(const Comparison& comparison, std::size_t a, std::size_t b, std::size_t quantity);
[[nodiscard]] Parting parting(const Comparison& comparison, std::size_t a, std::size_t b, Group group);

}  // namespace vinculum::compare
