#pragma once

#include <algorithm>
#include <cmath>

#include "vinculum/integrate/integrator.hpp"

namespace vinculum::order_test {

/// Spherical pendulum of length 1 under gravity 1 in Cartesian coordinates: y = (x, v), |x| = 1, z upwards.
///
///   x' = v,   v' = −e_z + λ x,   λ = (z − |v|²)/|x|²      (from g = (|x|² − 1)/2: g'' = 0)
enum class Projected { kYes, kNo };

inline double position_residual(const Vector& y) { return 0.5 * (y.head<3>().squaredNorm() - 1.0); }
inline double velocity_residual(const Vector& y) { return y.head<3>().dot(y.tail<3>()); }

inline integrate::Problem spherical_pendulum(double tolerance, Projected projected) {
  integrate::Problem problem;
  problem.size = 6;
  problem.reached = Vector::Ones(6);
  problem.derivative = [](double, const double* y, double* y_dot) -> Outcome<void> {
    const double r2 = y[0] * y[0] + y[1] * y[1] + y[2] * y[2];
    const double v2 = y[3] * y[3] + y[4] * y[4] + y[5] * y[5];
    const double lambda = (y[2] - v2) / r2;
    for (int i = 0; i < 3; ++i) {
      y_dot[i] = y[i + 3];
      y_dot[i + 3] = lambda * y[i];
    }
    y_dot[5] -= 1.0;
    return {};
  };
  if (projected == Projected::kNo) return problem;
  problem.project = [tolerance](double, double* y) -> Outcome<double> {
    // For a single point mass the metric of M is the Euclidean one. Newton's iteration for x up to rounding, then v
    // in one step.
    double largest = 0.0;
    for (int iteration = 0; iteration < 5; ++iteration) {
      const double r2 = y[0] * y[0] + y[1] * y[1] + y[2] * y[2];
      const double g = 0.5 * (r2 - 1.0);
      if (std::abs(g) < 2e-16) break;
      for (int i = 0; i < 3; ++i) {
        const double change = -y[i] * g / r2;
        largest = std::max(largest, std::abs(change));
        y[i] += change;
      }
    }
    const double r2 = y[0] * y[0] + y[1] * y[1] + y[2] * y[2];
    const double drift = (y[0] * y[3] + y[1] * y[4] + y[2] * y[5]) / r2;
    for (int i = 0; i < 3; ++i) {
      largest = std::max(largest, std::abs(y[i] * drift));
      y[i + 3] -= y[i] * drift;
    }
    return largest / tolerance;
  };
  return problem;
}

/// Polar angle from the upward vertical, azimuth, and their rates.
struct PendulumStart {
  double polar;
  double polar_rate;
  double azimuth_rate;
};

inline constexpr PendulumStart kWideSwing = {2.0, 0.2, 0.6};
/// Slow enough that the leading term of an error of order 8 dominates well above rounding.
inline constexpr PendulumStart kGentleSwing = {2.5, 0.0, 0.4};

inline Vector cartesian(double polar, double polar_rate, double azimuth, double azimuth_rate) {
  const double s = std::sin(polar), c = std::cos(polar), sa = std::sin(azimuth), ca = std::cos(azimuth);
  return Vector{{s * ca, s * sa, c, c * ca * polar_rate - s * sa * azimuth_rate,
                 c * sa * polar_rate + s * ca * azimuth_rate, -s * polar_rate}};
}

inline Vector cartesian(const PendulumStart& start) {
  return cartesian(start.polar, start.polar_rate, 0.0, start.azimuth_rate);
}

/// State at time t1 by an independent method: minimal coordinates, with the angular momentum about the vertical as a
/// constant, and small steps of another method.
inline Vector pendulum_reference(const PendulumStart& start, double t1) {
  const double momentum = std::sin(start.polar) * std::sin(start.polar) * start.azimuth_rate;
  integrate::Problem problem;
  problem.size = 3;
  problem.reached = Vector::Ones(3);
  problem.derivative = [momentum](double, const double* y, double* y_dot) -> Outcome<void> {
    const double s = std::sin(y[0]), c = std::cos(y[0]);
    y_dot[0] = y[1];
    y_dot[1] = momentum * momentum * c / (s * s * s) + s;
    y_dot[2] = momentum / (s * s);
    return {};
  };
  double t = 0.0;
  Vector y{{start.polar, start.polar_rate, 0.0}};
  const auto done =
      integrate::integrate(problem, {.method = "tsit5", .tolerance = 1e-13, .fixed_step = 0.0005}, t, y, t1, nullptr);
  if (!done) return Vector::Constant(6, std::nan(""));
  return cartesian(y[0], y[1], y[2], momentum / (std::sin(y[0]) * std::sin(y[0])));
}

}  // namespace vinculum::order_test
