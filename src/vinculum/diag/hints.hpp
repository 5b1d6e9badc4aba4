#pragma once

#include <span>
#include <string>
#include <string_view>

#include "vinculum/diag/diagnostic.hpp"

namespace vinculum::diag {

/// An error at one place.
[[nodiscard]] Diagnostic error(Kind kind, SourceRange range, std::string message, std::string hint = {});

/// "did you mean `x`?", or empty where no candidate is near.
[[nodiscard]] std::string hint_nearest(std::string_view name, std::span<const std::string> candidates);
/// The same, or "one of `x`, `y`" where none is near.
[[nodiscard]] std::string hint_among(std::string_view name, std::span<const std::string> candidates);

}  // namespace vinculum::diag
