#pragma once

#include <optional>
#include <vector>

#include "vinculum/base/failure.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Whether a scalar of velocity level is affine in q' for all parameter values, decided along random lines at random
/// states. Also true if it is finite at none of these states.
[[nodiscard]] bool is_affine_in_rates(const Model& model, Term definition);

/// Finds the default speed that each nonlinear speed replaces: the default speeds are tested in order by ∂U/∂q' at
/// random states, and those determined by the stated speeds are replaced.   \pre `Model::speeds` is complete.
/// \returns kSingularKinematics if a nonlinear speed is not independent of the others, with speeds.size() + its index
///   in `coordinates`.
[[nodiscard]] std::optional<Failure> place_nonlinear_speeds(Model& model);

/// A speed as shown in texts.
struct ShownSpeed {
  const Speed* speed = nullptr;
  SpeedId id = {};  ///< in `Model::speeds`; for a nonlinear speed the default speed that it replaces
  std::optional<std::size_t> nonlinear;  ///< its index, for a nonlinear speed
};
/// One entry per speed of `Model::speeds`: the stated ones in order, then the default ones that have not been replaced.
[[nodiscard]] std::vector<ShownSpeed> shown_speeds(const Model& model);

}  // namespace vinculum::model
