#pragma once

#include <vector>

#include "vinculum/equations/expr_vector.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::equations {

/// A vector of the way from one point to another, in the frame that its text names.
struct OffsetPart {
  model::FrameId frame;
  ExprVector r;  ///< measure numbers in the frame
};

}  // namespace vinculum::equations
