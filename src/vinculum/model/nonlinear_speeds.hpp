#pragma once

#include <optional>
#include <vector>

#include "vinculum/base/failure.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Whether a scalar of velocity level is affine in q' whatever the parameters are: judged along random lines at random
/// states. True where it is finite at none of those that were tried.
[[nodiscard]] bool is_affine_in_rates(const Model& model, Term definition);

/// Finds the default speed in whose place each nonlinear speed stands: gone through in order, the default ones that
/// the stated speeds determine, by ∂U/∂q' at random states.   \pre `Model::speeds` is complete.
/// \returns kSingularKinematics where a nonlinear speed is no new combination of q', with speeds.size() + its number in
/// `coordinates`.
[[nodiscard]] std::optional<Failure> place_nonlinear_speeds(Model& model);

/// A speed as texts have it.
struct ShownSpeed {
  const Speed* speed = nullptr;
  SpeedId id = {};                       ///< of `Model::speeds`; of a nonlinear one that in whose place it stands
  std::optional<std::size_t> nonlinear;  ///< its number
};
/// As many as `Model::speeds`: the stated ones in order, then those by default but for the ones that have been
/// replaced.
[[nodiscard]] std::vector<ShownSpeed> shown_speeds(const Model& model);

}  // namespace vinculum::model
