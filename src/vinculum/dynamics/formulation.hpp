#pragma once

#include <string_view>

namespace vinculum::dynamics {

/// One motion by three formulations (theory.md §7).
enum class Formulation {
  kExplicit,    ///< M u' = f + Qc solved for u', all u integrated
  kAugmented,   ///< [M −Aᵀ; A 0] [u'; λ] = [f; b], all u integrated
  kMinimal,     ///< nu − rank independent speeds integrated, the others from the constraints themselves
};
[[nodiscard]] constexpr std::string_view to_string(Formulation formulation) {
  return formulation == Formulation::kExplicit ? "explicit" : formulation == Formulation::kAugmented ? "augmented" : "minimal";
}

}  // namespace vinculum::dynamics
