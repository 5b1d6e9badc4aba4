#pragma once

#include <span>

#include "vinculum/api/shared.hpp"
#include "vinculum/motion/matrices.hpp"

namespace vinculum {

/// \returns an Error if other forces would change when forces are added, so that accelerations do not determine them.
[[nodiscard]] Result<void> can_invert(const sim::CompiledModel& compiled);
/// Added forces [nu] that change the accelerations from `own` to `wanted`: M (wanted − own).
/// \returns an Error if a constraint does not admit these accelerations.
[[nodiscard]] Result<void> invert(const sim::CompiledModel& compiled, const sim::Matrices& at, ConstVector own,
                                  std::span<const double> wanted, std::span<double> forces);

}  // namespace vinculum
