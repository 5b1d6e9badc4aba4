#pragma once

#include <memory>
#include <span>
#include <string>

#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// Another value of a parameter, in SI units.
struct ParameterValue {
  std::string name;
  double value = 0.0;
};

/// Why a model cannot take other values of its parameters.
struct Refusal {
  std::string parameter;  ///< the first at fault
  std::string reason;     ///< one sentence
};

/// The same model with other values: structure and kernels are shared, bits are those of the model compiled afresh with
/// these values. Parameters defined by others follow them, those once set keep their value.
/// \cost microseconds. More if the model states `conserve`, or if these values decide which rows the coordinates
/// satisfy identically: those are judged again.
/// \returns a refusal for a name that is no parameter, a value that is not finite or that the model's requirements
/// exclude, a parameter that was read for good when the model was built (`for`, `if`, sizes, the length of a run, …:
/// see model::Parameter::fixed_by), and for values with which a quantity of `conserve` is no invariant.
[[nodiscard]] Outcome<std::shared_ptr<const Binding>, Refusal> with(const Binding& bound,
                                                                    std::span<const ParameterValue> values);

}  // namespace vinculum::sim
