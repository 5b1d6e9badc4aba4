#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/compare/compare.hpp"

namespace vinculum::compare {

/// Start of one variant, or the reason why the variant cannot start.
struct VariantStart {
  std::optional<Start> start;
  std::string note;  ///< difference from the common start
  std::optional<Failure> failure;
};

struct VariantStarts {
  std::vector<VariantStart> variants;
  std::string common;  ///< description of the common start, as a sentence
};

/// Computes the starts of all variants by the rules of `compare` (compare.hpp).
[[nodiscard]] VariantStarts starts_of(const std::vector<Variant>& variants);

/// Estimates the least number of steps with which an explicit method stays stable over the duration, from the largest
/// eigenvalue of the equations linearized at the start (difference quotients). 0 if the variant has no stiff law or
/// an implicit method, or has too many states for this estimate.
[[nodiscard]] double steps_by_stability(const Variant& variant, const Start& start);

}  // namespace vinculum::compare
