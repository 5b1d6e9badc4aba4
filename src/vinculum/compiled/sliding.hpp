#pragma once

#include <vector>

#include "vinculum/compiled/compiled_model.hpp"

namespace vinculum::sim {

/// Velocities whose direction the non-ideal forces of the model take, in `unit(v)`, `sign(v)` or a division by
/// `norm(v)` or |v|, where such forces depend on reactions.
struct SlidingVelocities {
  std::vector<CompiledModel::Sliding> sliding;
  std::vector<expr::Expr> values;  ///< measure numbers of them all, in t, q, u
};
[[nodiscard]] SlidingVelocities sliding_velocities(const equations::System& system);

}  // namespace vinculum::sim
