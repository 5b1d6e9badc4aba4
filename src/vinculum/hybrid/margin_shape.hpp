#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::sim {

/// A function of time over an interval as a sum of Chebyshev's polynomials, from its values at their extrema,
/// (1 − cos(π k/n))/2 of the interval: bounded below by middle − others, as far as its last coefficients are small.
struct MarginShape {
  double size = 0.0;         ///< largest value at the nodes
  double middle = 0.0;       ///< constant part
  double others = 0.0;       ///< Σ of the sizes of the other coefficients, of which
  double last = 0.0;         ///< the last two
  bool is_resolved = false;  ///< these are a thousandth of the size, or noise

  /// \param values  at all nodes; every `stride`-th is read.
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
