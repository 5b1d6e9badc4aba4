#pragma once

#include <vector>

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Bounds the rounding errors of outputs at a sample, by running error analysis of their expressions. Each state is
/// assumed to have the rounding error of its largest absolute value along the run. Accelerations and reactions have the
/// error of a linear solve, relative to the largest value of the same dimension.
/// \param largest_q, largest_u, largest_z  [nq], [nu], [nz] largest absolute values along the run; empty: the values at
/// the sample
/// \returns [output_size]; 0 if the analysis gives no finite bound.
/// \cost one pass over the expressions of the outputs
[[nodiscard]] std::vector<double> rounding_of_outputs(const Binding& bound, const Sample& sample,
                                                      const Vector& largest_q, const Vector& largest_u,
                                                      const Vector& largest_z);

}  // namespace vinculum::sim
