#pragma once

#include <optional>

#include "vinculum/base/failure.hpp"
#include "vinculum/mechanics/model.hpp"

namespace vinculum::mechanics {

/// Appends to the stated speeds those q_i' that are independent of them and of each other, coordinates gone through in
/// order, until there are as many speeds as coordinates.
///
/// Independence is that of the rows ∂(definition)/∂q' at random states: what depends generically depends there with
/// probability one.
/// \returns why the stated speeds do not determine q', with their indices in `coordinates`.
[[nodiscard]] std::optional<Failure> complete_speeds(Model& model);

}  // namespace vinculum::mechanics
