#pragma once

#include "vinculum/base/linear_algebra.hpp"

namespace vinculum::numeric {

/// Answer of `maximize`.
struct LinearOptimum {
  enum class Kind { kFound, kInfeasible, kUnbounded } kind = Kind::kInfeasible;
  Vector y;            ///< [n] a point at which the largest value is taken; kFound only
  double value = 0.0;  ///< c·y there
};

/// Largest c·y over all y with A y ≤ b; y has any sign. Dense simplex method on a dictionary: each y enters the basis
/// first and stays there, an auxiliary unknown finds a first vertex, Bland's rule ends cycles.
/// \param A  [m×n]; rows of length about 1, so that b is compared with the size of its terms.   \param b [m]
/// \param c  [n]
/// \cost O(m n) a pivot; meant for tens of rows. Source: Chvátal, Linear Programming (1983), chapters 2, 3.
/// Test: linear_program_test.cpp (against all vertices).
[[nodiscard]] LinearOptimum maximize(ConstMatrix A, ConstVector b, ConstVector c);

}  // namespace vinculum::numeric
