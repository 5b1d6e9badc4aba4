#pragma once

#include <functional>
#include <span>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/rounded.hpp"

namespace vinculum::sim {

/// Returns gradients of some reported quantities with bounds of their errors, from rounding and from errors of the
/// state.
/// \param rows  of the gradient
/// \returns [rows × m]
using WithNoise = std::function<RoundedMatrix(std::span<const int> rows)>;

/// Decides which quantities have the same value for every admissible set of multipliers: all i for which row i of the
/// gradient times the basis N is zero (theory.md §3.5). Each product is compared with the size of its terms, and with
/// the errors of its coefficients. A product that is not zero may consist of rounding errors only, for example if the
/// quantity is a couple cross(a, r) with a lever r = 0.
///
/// \param gradient  [k × m] derivatives of the quantities by the multipliers
/// \param N  [m × r] basis of the changes of the multipliers that do not change the motion
/// \param clear  [k] earlier products far above their errors, initially 0. A product of this order is judged without
/// the costly `with_noise`.
/// \returns [k] 1: unique, 0: not.
/// Test: uniqueness_test.cpp.
[[nodiscard]] std::vector<char> unaffected_by(const Matrix& gradient, const Matrix& N, std::span<double> clear,
                                              const WithNoise& with_noise);

}  // namespace vinculum::sim
