#pragma once

#include <optional>

#include "vinculum/base/failure.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Appends to the stated speeds what they leave open, coordinates gone through in order: q_i' where it is independent
/// of the speeds so far; at the first coordinate of a quaternion of frame B in its parent A those of B.wx, B.wy, B.wz =
/// dot(omega(B, A), B.x) … that are. A quaternion counts for three rates, so there are nq speeds less one for each.
///
/// Independence is that of the rows ∂(definition)/∂q' at random states: what depends generically depends there with
/// probability one.
/// \returns why the stated speeds do not determine q', with their indices in `coordinates`.
[[nodiscard]] std::optional<Failure> complete_speeds(Model& model);

}  // namespace vinculum::model
