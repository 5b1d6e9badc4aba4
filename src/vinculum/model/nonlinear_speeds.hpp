#pragma once

#include <optional>
#include <vector>

#include "vinculum/base/failure.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Whether a scalar of velocity level is affine in q' for all parameter values. The test evaluates the scalar along
/// random lines in the space of q', at random states. The result is also true if the scalar is finite at none of these
/// states.
[[nodiscard]] bool is_affine_in_rates(const Model& model, Term definition);

/// Finds the default speed that each nonlinear speed replaces. It takes the default speeds in order. The stated speeds
/// and the default speeds before them determine some of these, which is tested with ∂U/∂q' at random states. Such a
/// default speed is replaced by the next nonlinear speed.   \pre `Model::speeds` is complete.
/// \returns kSingularKinematics if a nonlinear speed is not independent of the others; `coordinates` then contains
///   speeds.size() + the index of that nonlinear speed.
[[nodiscard]] std::optional<Failure> place_nonlinear_speeds(Model& model);

/// A speed as texts and listings show it.
struct ShownSpeed {
  const Speed* speed = nullptr;
  SpeedId id = {};  ///< index in `Model::speeds`; for a nonlinear speed, of the default speed that it replaces
  std::optional<std::size_t> nonlinear;  ///< index in `Model::nonlinear_speeds`; empty for other speeds
};
/// One entry per speed of `Model::speeds`: the stated ones in order, then the default ones that have not been replaced.
[[nodiscard]] std::vector<ShownSpeed> shown_speeds(const Model& model);

}  // namespace vinculum::model
