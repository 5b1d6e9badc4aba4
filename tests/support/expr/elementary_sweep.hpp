#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "vinculum/expr/elementary/arc.hpp"
#include "vinculum/expr/elementary/circular.hpp"
#include "vinculum/expr/elementary/exponential.hpp"
#include "vinculum/expr/elementary/hyperbolic.hpp"

/// Compares elementary functions with the functions of the C library in extended precision, whose 11 additional bits
/// suffice to measure errors of less than a unit in the last place of a double.
namespace vinculum::test_support {

namespace elementary = expr::elementary;

/// |value − truth| in units in the last place of a double of the size of `truth`; 0 if both are the same infinity or
/// both NaN.
inline double ulps(double value, long double truth) {
  const auto nearest = static_cast<double>(truth);
  if (!std::isfinite(nearest)) {
    const bool is_same = std::isnan(nearest) ? std::isnan(value) : value == nearest;
    return is_same ? 0.0 : std::numeric_limits<double>::infinity();
  }
  const int exponent = nearest == 0.0 ? -1074 : std::max(std::ilogb(nearest) - 52, -1074);
  return static_cast<double>(std::scalbln(std::fabs(static_cast<long double>(value) - truth), -exponent));
}

struct FunctionOfOne {
  const char* name;
  double (*function)(double);
  long double (*truth)(long double);
  double from, to;  ///< range of most useful arguments
};

inline constexpr FunctionOfOne kFunctionsOfOne[] = {
    {"sin", elementary::sine, std::sin, -4.0, 4.0},
    {"cos", elementary::cosine, std::cos, -4.0, 4.0},
    {"tan", elementary::tangent, std::tan, -4.0, 4.0},
    {"turns of sin", elementary::sine, std::sin, -2e6, 2e6},
    {"turns of cos", elementary::cosine, std::cos, -2e6, 2e6},
    {"turns of tan", elementary::tangent, std::tan, -2e6, 2e6},
    {"exp", elementary::exponential, std::exp, -2.0, 2.0},
    {"range of exp", elementary::exponential, std::exp, -746.0, 711.0},
    {"log", elementary::logarithm, std::log, 0.5, 2.0},
    {"asin", elementary::arc_sine, std::asin, -1.0, 1.0},
    {"acos", elementary::arc_cosine, std::acos, -1.0, 1.0},
    {"atan", elementary::arc_tangent, std::atan, -4.0, 4.0},
    {"sinh", elementary::hyperbolic_sine, std::sinh, -2.0, 2.0},
    {"cosh", elementary::hyperbolic_cosine, std::cosh, -2.0, 2.0},
    {"tanh", elementary::hyperbolic_tangent, std::tanh, -2.0, 2.0},
    {"range of sinh", elementary::hyperbolic_sine, std::sinh, -712.0, 712.0},
    {"range of cosh", elementary::hyperbolic_cosine, std::cosh, -712.0, 712.0},
};

struct FunctionOfTwo {
  const char* name;
  double (*function)(double, double);
  long double (*truth)(long double, long double);
  double first_from, first_to, second_from, second_to;
};

inline constexpr FunctionOfTwo kFunctionsOfTwo[] = {
    {"atan2", elementary::arc_tangent2, std::atan2, -3.0, 3.0, -3.0, 3.0},
    {"pow", elementary::power, std::pow, 0.0, 10.0, -30.0, 30.0},
    {"pow near 1", elementary::power, std::pow, 0.999, 1.001, -7e5, 7e5},
};

/// The largest error, and its arguments.
struct Worst {
  double error = 0.0, first = 0.0, second = 0.0;
  void look(double e, double x, double y) {
    if (!(e <= error)) *this = {e, x, y};
  }
};

/// Tests `count` arguments: two thirds between `from` and `to`, one third of all magnitudes and both signs.
inline Worst sweep(const FunctionOfOne& f, long count) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> between(f.from, f.to), size(-1074.0, 1024.0);
  Worst worst;
  for (long k = 0; k < count; ++k) {
    const double x = k % 3 != 0 ? between(random) : std::exp2(size(random)) * (k % 2 == 0 ? 1.0 : -1.0);
    worst.look(ulps(f.function(x), f.truth(x)), x, 0.0);
  }
  return worst;
}

inline Worst sweep(const FunctionOfTwo& f, long count) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> first(f.first_from, f.first_to), second(f.second_from, f.second_to);
  Worst worst;
  for (long k = 0; k < count; ++k) {
    const double x = first(random), y = second(random);
    worst.look(ulps(f.function(x, y), f.truth(x, y)), x, y);
  }
  return worst;
}

inline constexpr bool kHasExtendedPrecision = std::numeric_limits<long double>::digits >= 64;

}  // namespace vinculum::test_support
