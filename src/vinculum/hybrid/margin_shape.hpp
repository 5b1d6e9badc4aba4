#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::sim {

/// A function of time over an interval as a Chebyshev series, from its values at the extrema (1 − cos(π k/n))/2. If the
/// last coefficients are small, the function is at least middle − others − last.
struct MarginShape {
  double size = 0.0;         ///< largest absolute value at the nodes
  double middle = 0.0;       ///< constant coefficient
  double others = 0.0;       ///< sum of the absolute values of the other coefficients
  double last = 0.0;         ///< the part of `others` from the last two
  bool is_resolved = false;  ///< `last` is at most a thousandth of `size`, or at most the noise

  /// \param values  at all nodes; every `stride`-th is used
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
