#pragma once

#include <optional>

#include "vinculum/base/failure.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Appends default speeds to the stated ones, in the order of the coordinates. For a coordinate q_i: q_i' if it is
/// independent of the speeds so far. At the first coordinate of a quaternion of frame B in its parent A: each of B.wx,
/// B.wy, B.wz = dot(omega(B, A), B.x) … that is independent. A quaternion has three rates, so there are nq speeds less
/// one per quaternion.
///
/// Independence is decided for the rows ∂(definition)/∂q' at random states: rows that are generically independent are
/// so there with probability one.
/// \returns the reason why the stated speeds do not determine q', with their indices in `coordinates`.
[[nodiscard]] std::optional<Failure> complete_speeds(Model& model);

}  // namespace vinculum::model
