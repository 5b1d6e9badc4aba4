#pragma once

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

/// Motions with a short, thin or late feature at a random time or position, and the closed form of the result.
namespace vinculum::hybrid {

/// Expected value of a coordinate, speed or state at the end of a motion.
struct Wanted {
  enum class Of { kCoordinate, kSpeed, kState } of;
  int index;
  double value;
  double reach;  ///< largest magnitude along the motion
};

struct Meeting {
  std::string text;  ///< model text without `run`
  double duration = 0.0;
  std::vector<Wanted> wanted;
  std::string stops = {};  ///< kind of failure, if the motion cannot continue
  double stops_at = 0.0;   ///< [s] time of the failure
  double shortest = 1.0;   ///< [s] duration of the shortest feature

  double rounding = 0.0;  ///< relative rounding error of the result

  /// If the position has an error of one tolerance during the motion, the final values change by this many tolerances.
  double sensitivity = 1.0;

  /// Relative error of the duration of the shortest feature: times are exact only up to their last digits.
  [[nodiscard]] double digits_of_time() const {
    return 8.0 * std::numeric_limits<double>::epsilon() * duration / shortest;
  }
};

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  double between(double a, double b) { return std::uniform_real_distribution<double>(a, b)(random_); }
  double sign() { return between(-1.0, 1.0) < 0.0 ? -1.0 : 1.0; }

 private:
  std::mt19937_64 random_;
};

struct Case {
  std::string name;
  std::function<Meeting(Draw&)> draw;
};
using Cases = std::vector<Case>;

inline Wanted place(int index, double value, double reach = 0.0) {
  return {Wanted::Of::kCoordinate, index, value, std::max(reach, std::abs(value))};
}
inline Wanted speed(int index, double value, double reach = 0.0) {
  return {Wanted::Of::kSpeed, index, value, std::max(reach, std::abs(value))};
}

/// Pulses of area 1, symmetric about u = 0.
struct Shape {
  std::string name;
  std::string text;  ///< expression with {u} for the variable
  double (*at)(double u);
  double half_width;  ///< beyond this |u| the value of the pulse is below rounding
};

inline double smooth_ramp(double x) {
  x = std::min(std::max(x, 0.0), 1.0);
  return x * x * x * (x * (x * 6.0 - 15.0) + 10.0);
}

inline const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {
      {"gauss", "exp(-({u})^2)/sqrt(pi)", [](double u) { return std::exp(-u * u) / std::sqrt(std::numbers::pi); }, 7.0},
      {"window", "(1 if {u} > -0.5 and {u} < 0.5 else 0)", [](double) { return 1.0; }, 0.5},
      {"parabola", "0.75*max(0, 1 - ({u})^2)", [](double u) { return 0.75 * (1.0 - u * u); }, 1.0},
      {"triangle", "max(0, 1 - |{u}|)", [](double u) { return 1.0 - std::abs(u); }, 1.0},
      {"smoothsteps", "(smoothstep({u} + 1) - smoothstep({u}))",
       [](double u) { return smooth_ramp(u + 1.0) - smooth_ramp(u); }, 1.0},
      {"tanh", "0.5*(tanh(8*({u} + 0.5)) - tanh(8*({u} - 0.5)))",
       [](double u) { return 0.5 * (std::tanh(8.0 * (u + 0.5)) - std::tanh(8.0 * (u - 0.5))); }, 3.0},
      {"sech2", "0.5/cosh({u})^2", [](double u) { return 0.5 / std::pow(std::cosh(u), 2); }, 20.0},
  };
  return all;
}
inline const Shape& shape(const std::string& name) {
  for (const Shape& one : shapes())
    if (one.name == name) return one;
  throw std::invalid_argument(name);
}

/// ∫ f du from a to b by a 5-point Gauss rule on 400 intervals.
inline double integral(const std::function<double(double)>& f, double a, double b) {
  constexpr int kParts = 400;
  constexpr double kPoints[] = {0.0, 0.53846931010568309104, 0.90617984593866399280};
  constexpr double kWeights[] = {0.56888888888888888889, 0.47862867049936646804, 0.23692688505618908751};
  double sum = 0.0;
  const double half = 0.5 * (b - a) / kParts;
  for (int i = 0; i < kParts; ++i) {
    const double middle = a + (2 * i + 1) * half;
    sum += kWeights[0] * f(middle);
    for (int k = 1; k < 3; ++k) sum += kWeights[k] * (f(middle - half * kPoints[k]) + f(middle + half * kPoints[k]));
  }
  return sum * half;
}
/// Mean of cos(κu) over a pulse. It gives the effect of the pulse on an oscillator, with κ = frequency × width.
inline double mean_cosine(const Shape& pulse, double kappa) {
  return integral([&](double u) { return pulse.at(u) * std::cos(kappa * u); }, -pulse.half_width, pulse.half_width);
}

/// Expression, in the variable `variable`, of a pulse of width w centered at `at`.
inline std::string pulse(const Shape& of, const std::string& variable, double at, double w) {
  std::string text = of.text;
  const std::string u = fmt::format("({} - {:.17g})/{:.17g}", variable, at, w);
  for (std::size_t place; (place = text.find("{u}")) != std::string::npos;) text.replace(place, 3, u);
  return fmt::format("{:.17g}*{}", 1.0 / w, text);
}

inline std::string head(const std::string& coordinates) {
  return fmt::format("model meeting\nframe N newtonian\npoint O fixed in N\ncoord {}\n", coordinates);
}
/// A particle that moves along x.
inline std::string particle_on_a_line(double m) {
  return head("x") + fmt::format("particle P mass {:.17g} at O + x*N.x\n", m);
}

}  // namespace vinculum::hybrid
