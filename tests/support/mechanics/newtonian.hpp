#pragma once

#include "vinculum/mechanics/model.hpp"

namespace vinculum::mechanics::testing {

/// The newtonian frame of every model.
inline constexpr FrameId N = Model::newtonian();

}  // namespace vinculum::mechanics::testing
