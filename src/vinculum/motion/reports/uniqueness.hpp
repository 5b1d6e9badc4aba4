#pragma once

#include <functional>
#include <span>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/rounded.hpp"

namespace vinculum::sim {

/// Type of a function that evaluates some rows of the gradient of the reported quantities again, with bounds of the
/// errors caused by rounding and by errors of the state.
/// \param rows  indices of the rows
/// \returns [number of rows × m]
using WithNoise = std::function<RoundedMatrix(std::span<const int> rows)>;

/// Decides which quantities have the same value for every admissible set of multipliers. This is true of quantity i if
/// row i of `gradient` times N is zero (theory.md §3.5). Each product is compared with the size of its terms and with
/// the errors of its coefficients. For example, a couple cross(a, r) with a lever r = 0 has a gradient of rounding
/// errors only.
///
/// \param gradient  [k × m] derivatives of the quantities by the multipliers
/// \param N  [m × r] basis of the changes of the multipliers that do not change the motion
/// \param clear  [k] memory between calls, initially 0: the largest products so far that were far above their errors.
/// `with_noise` is expensive, so it is not called if a product is of the same order as `clear`.
/// \returns [k] 1: unique, 0: not.
/// Test: uniqueness_test.cpp.
[[nodiscard]] std::vector<char> unaffected_by(const Matrix& gradient, const Matrix& N, std::span<double> clear,
                                              const WithNoise& with_noise);

}  // namespace vinculum::sim
