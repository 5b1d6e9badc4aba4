#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/compare/compare.hpp"

namespace vinculum::compare {

/// Start of one variant, or why it cannot start.
struct VariantStart {
  std::optional<Start> start;
  std::string note;  ///< how it differs from the common start
  std::optional<Failure> failure;
};

struct VariantStarts {
  std::vector<VariantStart> variants;
  std::string common;  ///< description of the common start, as a sentence
};

/// Starts of all variants by the rules of `compare` (compare.hpp).
[[nodiscard]] VariantStarts starts_of(const std::vector<Variant>& variants);

/// Least number of steps with which the method of the variant stays stable over the duration: from the largest
/// eigenvalue of the equations linearized at the start (difference quotients) and the stability bound of an explicit
/// method. 0 for an implicit method, which has no such bound, if the variant has no stiff law, or if it has too many
/// states for this estimate.
[[nodiscard]] double steps_by_stability(const Variant& variant, const Start& start);

}  // namespace vinculum::compare
