#pragma once

#include <span>
#include <string>
#include <string_view>

#include "vinculum/diag/diagnostic.hpp"

namespace vinculum::diag {

/// An error diagnostic at one place in the text.
[[nodiscard]] Diagnostic error(Kind kind, SourceRange range, std::string message, std::string hint = {});

/// "did you mean `x`?", or empty if no candidate is near.
[[nodiscard]] std::string hint_nearest(std::string_view name, std::span<const std::string> candidates);
/// As `hint_nearest`, but lists all candidates, "one of `x`, `y`", if no candidate is near.
[[nodiscard]] std::string hint_among(std::string_view name, std::span<const std::string> candidates);

}  // namespace vinculum::diag
