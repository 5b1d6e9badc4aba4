#pragma once

#include "vinculum/model/model.hpp"

namespace vinculum::model::testing {

/// The newtonian frame of every model.
inline constexpr FrameId N = Model::newtonian();

}  // namespace vinculum::model::testing
