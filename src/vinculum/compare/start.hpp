#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/compare/compare.hpp"

namespace vinculum::compare {

/// Where a variant starts, or why it cannot.
struct VariantStart {
  std::optional<Start> start;
  std::string note;  ///< how it differs from the common one
  std::optional<Failure> failure;
};

struct VariantStarts {
  std::vector<VariantStart> variants;
  std::string common;  ///< where they start, in a sentence
};

/// Starts of all variants as `compare` describes them.
[[nodiscard]] VariantStarts starts_of(const std::vector<Variant>& variants);

/// The least number of steps in which an explicit method gets over the duration without becoming unstable: from the
/// largest eigenvalue of the equations linearised at the start, by differences. 0 where no law of the variant makes
/// them fast, or there are too many states to look.
[[nodiscard]] double steps_by_stability(const Variant& variant, const Start& start);

}  // namespace vinculum::compare
