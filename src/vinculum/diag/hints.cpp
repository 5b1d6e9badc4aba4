#include "vinculum/diag/hints.hpp"

#include <utility>

namespace vinculum::diag {

Diagnostic error(Kind kind, SourceRange range, std::string message, std::string hint) {
  return {kind, Severity::kError, range, std::move(message), {}, {}, std::move(hint)};
}

std::string hint_nearest(std::string_view name, std::span<const std::string> candidates) {
  const std::string nearest = nearest_name(name, candidates);
  return nearest.empty() ? std::string() : "did you mean `" + nearest + "`?";
}

std::string hint_among(std::string_view name, std::span<const std::string> candidates) {
  std::string hint = hint_nearest(name, candidates);
  if (!hint.empty()) return hint;
  for (const std::string& one : candidates) hint += (hint.empty() ? "one of `" : ", `") + one + "`";
  return hint;
}

}  // namespace vinculum::diag
