#pragma once

#include <span>
#include <vector>

#include "vinculum/base/rounded.hpp"
#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Sizes of the numbers of a sample; empty vectors for the magnitudes at the sample.
struct SampleSizes {
  Vector q, u, z;        ///< [nq], [nu], [nz]
  Vector u_dot, lambda;  ///< [nu], [nc]
  /// Raises each size to the magnitude at the sample.
  void raise(const Sample& sample);
};

/// Values of report quantities at a sample with bounds of their rounding errors, by running error analysis of their
/// expressions. Accelerations and reactions have at least the error of a linear solve, relative to the largest size of
/// the same dimension.
/// \param error  relative error of each number; the size is at least the magnitude at the sample
/// \cost one pass over the expressions
[[nodiscard]] std::vector<Rounded> with_rounding(const Binding& bound, std::span<const expr::Expr> values,
                                                 const Sample& sample, const SampleSizes& sizes, double error);

/// Rounding errors of the outputs at a sample. Each state is assumed to have the rounding error of its largest absolute
/// value along the run.
/// \returns [output_size]; 0 if the analysis gives no finite bound.
[[nodiscard]] std::vector<double> rounding_of_outputs(const Binding& bound, const Sample& sample,
                                                      const SampleSizes& largest);

}  // namespace vinculum::sim
