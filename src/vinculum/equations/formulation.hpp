#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace vinculum::equations {

/// Three formulations of the same motion (theory.md §7).
enum class Formulation {
  kExplicit,   ///< M u' = f + Qc is solved for u'; all u are integrated
  kAugmented,  ///< [M −Aᵀ; A 0] [u'; λ] = [f; b] is solved for u' and λ; all u are integrated
  kMinimal,    ///< nu − rank A independent speeds are integrated; the others follow from the constraints
};
[[nodiscard]] constexpr std::string_view to_string(Formulation formulation) {
  return formulation == Formulation::kExplicit    ? "explicit"
         : formulation == Formulation::kAugmented ? "augmented"
                                                  : "minimal";
}

inline constexpr std::array kFormulations{Formulation::kExplicit, Formulation::kAugmented, Formulation::kMinimal};
/// The formulation with this name in model texts; nothing if there is no such name.
[[nodiscard]] constexpr std::optional<Formulation> find_formulation(std::string_view name) {
  for (const Formulation formulation : kFormulations) {
    if (to_string(formulation) == name) return formulation;
  }
  return std::nullopt;
}

}  // namespace vinculum::equations
