#pragma once

#include <vector>

#include "vinculum/compiled/compiled_model.hpp"

namespace vinculum::sim {

/// Velocities v whose direction occurs in non-ideal forces that depend on reactions, as `unit(v)`, `sign(v)` or a
/// division by `norm(v)` or |v|.
struct SlidingVelocities {
  std::vector<CompiledModel::Sliding> sliding;
  std::vector<expr::Expr> values;  ///< components of all these velocities, functions of t, q, u
};
[[nodiscard]] SlidingVelocities sliding_velocities(const equations::System& system);

}  // namespace vinculum::sim
