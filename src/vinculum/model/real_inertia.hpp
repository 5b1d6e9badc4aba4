#pragma once

#include <array>

namespace vinculum::model {

/// Moments and products of inertia: xx, yy, zz, xy, yz, zx, with Ixy = −∫ x y dm.
using Moments = std::array<double, 6>;

enum class InertiaFault {
  kNone,
  kNegative,  ///< about some axis the moment is negative
  kUneven,    ///< a principal moment exceeds the sum of the other two
};

/// Why no body has this inertia about its mass centre. Moments are judged up to rounding errors, their sums up to the
/// digits with which numbers are usually written (tolerance::kWritten).
[[nodiscard]] InertiaFault fault_of(const Moments& inertia);

}  // namespace vinculum::model
