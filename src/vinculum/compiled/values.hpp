#pragma once

#include <memory>
#include <span>
#include <string>

#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// A new value of a parameter, in SI units.
struct ParameterValue {
  std::string name;
  double value = 0.0;
};

/// Reason why new parameter values are refused.
struct Refusal {
  std::string parameter;  ///< the first parameter whose value is refused
  std::string reason;     ///< one sentence
};

/// [nc] Compliances of the rows of unilateral constraints for the parameter values of a binding, 0 for other rows;
/// empty if the model states none.
[[nodiscard]] Vector compliances_of(const Binding& bound);

/// The same model with other parameter values. Structure and kernels are shared. Results have the same bits as those of
/// a model compiled with these values. Parameters that are defined by other parameters are evaluated again; parameters
/// set by an earlier call keep their value.
/// \cost microseconds. More if the model has `conserve` statements, or if the values decide which rows are identically
/// satisfied, because these are then tested again.
/// \returns a refusal for a name that is not a parameter; for a value that is not finite or that the model's
/// requirements exclude; for a parameter whose value was fixed when the model was built (`for`, `if`, sizes, the length
/// of a run, …: see model::Parameter::fixed_by); and for values with which a quantity of `conserve` is not invariant.
[[nodiscard]] Outcome<std::shared_ptr<const Binding>, Refusal> with(const Binding& bound,
                                                                    std::span<const ParameterValue> values);

}  // namespace vinculum::sim
