#include "vinculum/motion/projection/projection.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::sim {

void Projection::normalize_quaternions(double* y) const {
  for (const std::array<int, 4>& e : at_.compiled->system->quaternions) {
    double norm2 = 0.0;
    for (const int i : e) norm2 += y[i] * y[i];
    if (std::abs(norm2 - 1.0) <= 4.0 * tolerance::kRounding || !(norm2 > 0.0)) continue;
    const double factor = 1.0 / std::sqrt(norm2);
    for (const int i : e) y[i] *= factor;
  }
}

Outcome<double> Projection::project(double t, double* y) {
  normalize_quaternions(y);
  auto moved = constraints_.project(t, y);
  if (!moved) return moved;
  if (at_.mode->levels) {
    const auto further = levels_->project(t, y);
    if (!further) return further;
    moved = std::max(*moved, *further);
  }
  normalize_quaternions(y);  // a linear correction changes the norm of a quaternion by the square of the correction
  return moved;
}

}  // namespace vinculum::sim
