#pragma once

#include <functional>
#include <span>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/rounded.hpp"

namespace vinculum::sim {

/// Coefficients of some reported quantities with what rounding, and the rounding of the state, may have done to them.
/// \param rows  of the gradient   \returns [rows × m]
using WithNoise = std::function<RoundedMatrix(std::span<const int> rows)>;

/// Which quantities have the same value for every admissible set of multipliers: row i of the gradient times the basis
/// N is zero (theory.md §3.5). Each product is compared with the size of its terms. A product that differs from zero
/// may consist of rounding alone, as that of a couple cross(a, r) of a lever r = 0 does; so it is compared with the
/// errors of its coefficients too.
///
/// \param gradient  [k × m] derivatives of the quantities by the multipliers
/// \param N         [m × r] basis of the changes of the multipliers that leave the motion as it is
/// \param clear     [k] products that were far above their errors before, 0 at first: a product of this order is judged
///                  without `with_noise`, which costs much
/// \returns [k] 1: unique, 0: not.   Law: uniqueness_test.cpp.
[[nodiscard]] std::vector<char> unaffected_by(const Matrix& gradient, const Matrix& N, std::span<double> clear,
                                              const WithNoise& with_noise);

}  // namespace vinculum::sim
