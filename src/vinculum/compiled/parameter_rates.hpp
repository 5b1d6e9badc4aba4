#pragma once

#include <span>
#include <vector>

#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// Derivatives ∂p_k/∂p of parameters with respect to some of them. A parameter that is defined by others changes with
/// them, unless its value was set from outside (`Binding::is_set`).
struct ParameterRates {
  std::vector<std::size_t> by;  ///< parameters that change, ascending: the chosen ones and those defined by them
  Matrix rates;                 ///< [by × chosen]
};

/// \param system  of the same model; its graph grows
/// \param chosen  indices into Model::parameters
[[nodiscard]] ParameterRates parameter_rates(const equations::System& system, const Binding& bound,
                                             std::span<const std::size_t> chosen);

}  // namespace vinculum::sim
