#pragma once

#include <span>

#include "vinculum/api/shared.hpp"
#include "vinculum/motion/matrices.hpp"

namespace vinculum {

/// \returns an Error if accelerations do not determine the added forces, because adding forces changes other forces of
/// the model.
[[nodiscard]] Result<void> can_invert(const sim::CompiledModel& compiled);
/// Computes the generalized forces to be added so that the accelerations become `wanted`: M (wanted − own).
/// \param own  [nu] accelerations without added forces   \param forces  [nu] receives the result
/// \returns an Error if a constraint does not admit these accelerations.
[[nodiscard]] Result<void> invert(const sim::CompiledModel& compiled, const sim::Matrices& at, ConstVector own,
                                  std::span<const double> wanted, std::span<double> forces);

}  // namespace vinculum
