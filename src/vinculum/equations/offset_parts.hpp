#pragma once

#include <vector>

#include "vinculum/equations/expr_vector.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::equations {

/// One summand of the vector from one point to another, in the frame in which the model writes it.
struct OffsetPart {
  model::FrameId frame;
  ExprVector r;  ///< measure numbers of the summand in the frame
};

}  // namespace vinculum::equations
