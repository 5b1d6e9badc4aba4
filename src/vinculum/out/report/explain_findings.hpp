#pragma once

#include <optional>
#include <vector>

#include "vinculum/out/report/reported.hpp"

namespace vinculum::out {

/// What numbers at states on the constraints say of a row, beyond its form (theory.md §2).
struct RowFindings {
  std::optional<bool>
      is_direction_only;  ///< of velocity level: homogeneous in the velocities of points and bodies, Σ v·W + Σ ω·τ = 0
                          ///< wherever the row holds; nothing where no state on the constraints was found
  bool is_integral = false;  ///< the motion under all else keeps it: it needs no force, λ = 0 at every state
};

/// \param states  samples at random states on the constraints: with their accelerations and reactions.
/// \returns [rows of System]
[[nodiscard]] std::vector<RowFindings> find_of_rows(dynamics::System& system, std::span<const double> parameters,
                                                    const std::vector<sim::Sample>& states);

}  // namespace vinculum::out
