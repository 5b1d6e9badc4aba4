#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::sim {

/// Chebyshev series of a function of time over an interval, computed from its values at the nodes (1 − cos(π k/n))/2.
/// If the last coefficients are small, the function is at least middle − others − last everywhere in the interval.
struct MarginShape {
  double size = 0.0;         ///< largest absolute value at the nodes
  double middle = 0.0;       ///< constant coefficient
  double others = 0.0;       ///< sum of the absolute values of the other coefficients
  double last = 0.0;         ///< sum of the absolute values of the last two coefficients
  bool is_resolved = false;  ///< `last` is at most a thousandth of `size`, or at most the noise

  /// \param values  values at all nodes; every `stride`-th is used
  /// \param noise  rounding error of the values, ≥ 0
  MarginShape(ConstVector values, int stride, double noise) {
    const int degree = (static_cast<int>(values.size()) - 1) / stride;
    for (int k = 0; k <= degree; ++k) {
      double sum = 0.0;
      for (int node = 0; node <= degree; ++node) {
        const double weight = node == 0 || node == degree ? 0.5 : 1.0, value = values[stride * node];
        sum += weight * value * std::cos(std::numbers::pi * k * node / degree);
        size = std::max(size, std::abs(value));
      }
      const double coefficient = sum * (k == 0 || k == degree ? 1.0 : 2.0) / degree;
      if (k == 0)
        middle = coefficient;
      else
        others += std::abs(coefficient);
      if (k + 1 >= degree) last += std::abs(coefficient);
    }
    is_resolved = last <= tolerance::kFloor * size || last <= noise;
  }
};

}  // namespace vinculum::sim
