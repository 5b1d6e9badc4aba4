#include "vinculum/model/real_inertia.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::model {
namespace {

/// Whether a symmetric dyadic is positive semidefinite up to rounding errors, judged by its principal minors.
bool is_semidefinite(const Moments& dyadic) {
  const auto [xx, yy, zz, xy, yz, zx] = dyadic;
  const double size = std::max({std::fabs(xx), std::fabs(yy), std::fabs(zz)});
  const double least2 = -tolerance::kZero * size * size, least3 = least2 * size;
  const double determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * zx) + zx * (xy * yz - yy * zx);
  return std::min({xx, yy, zz}) >= -tolerance::kZero * size && xx * yy - xy * xy >= least2 &&
         yy * zz - yz * yz >= least2 && zz * xx - zx * zx >= least2 && determinant >= least3;
}

/// The mass distribution ∫ r r dm of a body with the inertia ∫ (r·r 1 − r r) dm, with `share` times the largest moment
/// of inertia added to its diagonal. It is positive semidefinite if no principal moment exceeds the sum of the other
/// two.
Moments mass_distribution(const Moments& inertia, double share) {
  const auto [xx, yy, zz, xy, yz, zx] = inertia;
  const double half = (xx + yy + zz) / 2.0 + share * std::max({xx, yy, zz});
  return {half - xx, half - yy, half - zz, -xy, -yz, -zx};
}

}  // namespace

InertiaFault fault_of(const Moments& inertia) {
  if (!is_semidefinite(inertia)) return InertiaFault::kNegative;
  return is_semidefinite(mass_distribution(inertia, tolerance::kWritten)) ? InertiaFault::kNone : InertiaFault::kUneven;
}

}  // namespace vinculum::model
