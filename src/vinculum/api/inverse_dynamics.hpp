#pragma once

#include <span>

#include "vinculum/api/shared.hpp"
#include "vinculum/motion/matrices.hpp"

namespace vinculum {

/// \returns an Error if forces that are added would change others, so that accelerations do not tell them.
[[nodiscard]] Result<void> can_invert(const sim::CompiledModel& compiled);
/// Forces [nu] under which the accelerations are `wanted` and not `own`: M (wanted − own).
/// \returns an Error if a constraint does not allow them.
[[nodiscard]] Result<void> invert(const sim::CompiledModel& compiled, const sim::Matrices& at, ConstVector own,
                                  std::span<const double> wanted, std::span<double> forces);

}  // namespace vinculum
