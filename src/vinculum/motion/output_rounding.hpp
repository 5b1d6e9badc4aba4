#pragma once

#include <vector>

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// By how much rounding may have moved each output at a sample: its expression by running error analysis, from states
/// with the rounding of their largest sizes, accelerations and reactions with that of a solve beside the largest of
/// their kind.
/// \param largest_q, largest_u, largest_z  [nq], [nu], [nz] sizes along the run, or empty: those at the sample
/// \returns [output_size]; infinite where the analysis tells no bound.   \cost one pass over the outputs' expressions
[[nodiscard]] std::vector<double> rounding_of_outputs(const Binding& bound, const Sample& sample,
                                                      const Vector& largest_q, const Vector& largest_u,
                                                      const Vector& largest_z);

}  // namespace vinculum::sim
