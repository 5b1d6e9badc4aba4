#pragma once

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

/// Motions that meet something short, thin or late, at a place drawn at random, and what comes of it in closed form.
namespace vinculum::hybrid {

/// A number at the end of a motion.
struct Wanted {
  enum class Of { kCoordinate, kSpeed, kState } of;
  int index;
  double value;
  double reach;  ///< the largest size that it has along the motion
};

struct Meeting {
  std::string text;  ///< of the model, without `run`
  double duration = 0.0;
  std::vector<Wanted> wanted;
  std::string stops = {};  ///< the kind of failure where there is no motion further on,
  double stops_at = 0.0;   ///< and when
  double shortest = 1.0;   ///< [s] what it meets lasts so long

  double rounding = 0.0;  ///< relative, of what comes of it

  double sensitivity = 1.0;  ///< by how many tolerances a tolerance of a place, made up beside the way, changes the end

  /// Times are known to their last digits, and what is short is by as much longer or shorter.
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

/// Pulses of area 1 about u = 0, even in u.
struct Shape {
  std::string name;
  std::string text;  ///< with {u}
  double (*at)(double u);
  double half_width;  ///< beyond it there is less than rounding
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

/// ∫ f du from a to b: Gauss' rule of 5 points on 400 parts.
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
/// Mean of cos(κu) over a pulse: what an oscillator takes of it.
inline double mean_cosine(const Shape& pulse, double kappa) {
  return integral([&](double u) { return pulse.at(u) * std::cos(kappa * u); }, -pulse.half_width, pulse.half_width);
}

/// The pulse about `at`, of width w, over `of`.
inline std::string pulse(const Shape& of, const std::string& variable, double at, double w) {
  std::string text = of.text;
  const std::string u = fmt::format("({} - {:.17g})/{:.17g}", variable, at, w);
  for (std::size_t place; (place = text.find("{u}")) != std::string::npos;) text.replace(place, 3, u);
  return fmt::format("{:.17g}*{}", 1.0 / w, text);
}

inline std::string head(const std::string& coordinates) {
  return fmt::format("model meeting\nframe N newtonian\npoint O fixed in N\ncoord {}\n", coordinates);
}
/// A particle along x.
inline std::string particle_on_a_line(double m) {
  return head("x") + fmt::format("particle P mass {:.17g} at O + x*N.x\n", m);
}

}  // namespace vinculum::hybrid
