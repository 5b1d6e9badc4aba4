#pragma once

#include <vector>

#include "vinculum/dynamics/expr_vector.hpp"
#include "vinculum/mechanics/model.hpp"

namespace vinculum::dynamics {

/// A vector of the way from one point to another, in the frame that its text names.
struct OffsetPart {
  mechanics::FrameId frame;
  ExprVector r;  ///< measure numbers in the frame
};

}  // namespace vinculum::dynamics
