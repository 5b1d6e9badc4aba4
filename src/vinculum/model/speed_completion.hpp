#pragma once

#include <optional>

#include "vinculum/base/failure.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Appends default speeds to the stated ones, in the order of the coordinates. For a coordinate q_i it appends q_i' if
/// that is independent of the speeds so far. At the first coordinate of a quaternion of frame B with parent A, it
/// appends each of B.wx, B.wy, B.wz = dot(omega(B, A), B.x) … that is independent. A quaternion has three independent
/// rates, so nu = nq − one per quaternion.
///
/// Independence is decided from the rows ∂(definition)/∂q' at random states. Rows that are independent at almost all
/// states are independent there with probability one.
/// \returns the reason why the stated speeds do not determine q', with the indices of these speeds in `coordinates`.
[[nodiscard]] std::optional<Failure> complete_speeds(Model& model);

}  // namespace vinculum::model
