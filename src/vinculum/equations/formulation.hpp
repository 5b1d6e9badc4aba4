#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace vinculum::equations {

/// One motion by three formulations (theory.md §7).
enum class Formulation {
  kExplicit,   ///< M u' = f + Qc solved for u', all u integrated
  kAugmented,  ///< [M −Aᵀ; A 0] [u'; λ] = [f; b], all u integrated
  kMinimal,    ///< nu − rank independent speeds integrated, the others from the constraints themselves
};
[[nodiscard]] constexpr std::string_view to_string(Formulation formulation) {
  return formulation == Formulation::kExplicit    ? "explicit"
         : formulation == Formulation::kAugmented ? "augmented"
                                                  : "minimal";
}

inline constexpr std::array kFormulations{Formulation::kExplicit, Formulation::kAugmented, Formulation::kMinimal};
/// By the name that texts use; nothing where there is none of this name.
[[nodiscard]] constexpr std::optional<Formulation> find_formulation(std::string_view name) {
  for (const Formulation formulation : kFormulations) {
    if (to_string(formulation) == name) return formulation;
  }
  return std::nullopt;
}

}  // namespace vinculum::equations
