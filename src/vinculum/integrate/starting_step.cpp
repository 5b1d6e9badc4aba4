#include "vinculum/integrate/starting_step.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::integrate {

double starting_step(const Problem& problem, const StartingPoint& at, const RateNoise& noise, double error,
                     int error_exponent, double longest) {
  constexpr double kPart = 0.01;
  const double h_euler = tolerance::kBeside * longest;
  const Eigen::Index padded = noise.values().size();
  const Vector moved = Eigen::Map<const Vector>(at.y, padded) + h_euler * Eigen::Map<const Vector>(at.y_dot, padded);
  Vector moved_dot = Vector::Zero(padded);
  if (!noise.rate()(at.t + h_euler, moved.data(), moved_dot.data())) return 0.1 * h_euler;
  double rate = 0.0;
  for (int i = 0; i < problem.size; ++i) {
    const double beside = problem.beside.size() > 0 ? problem.beside[i] : 0.0;
    const double size = std::max(std::abs(at.y[i]), tolerance::kFloor * beside);
    const double slope = std::abs(at.y_dot[i]), change = std::abs(moved_dot[i] - at.y_dot[i]);
    if (change <= noise.values()[i] || !(size + slope > 0.0)) continue;
    // Solves y'' h² = |y| + |y'| h for h.
    const double bend = change / h_euler;
    rate = std::max(rate, 2.0 * bend / (slope + std::sqrt(slope * slope + 4.0 * bend * size)));
  }
  if (!(rate > 0.0)) return kPart * longest;
  return std::min(std::pow(error, 1.0 / error_exponent) / rate, longest);
}

}  // namespace vinculum::integrate
