#pragma once

#include "vinculum/motion/output_rounding.hpp"

namespace vinculum::sim {

/// Typical sizes of the numbers of a sample: at least their magnitudes (compiled/scales).
[[nodiscard]] SampleSizes typical_sizes(const Binding& bound, const Sample& sample);

/// Whether a condition is true if `<=` and `>=` permit a difference within the accuracy of a run. An impact at z = 0
/// leaves z at a small number of either sign. The permitted difference of two sides is the error of their expressions
/// if each state has the relative error of the run: its tolerance, and at least `tolerance::kZero`, to which states
/// satisfy their constraints. So it does not depend on the units. `<`, `>` and `==` permit no difference.
/// \param run_tolerance  relative tolerance of the run
[[nodiscard]] bool holds_within_accuracy(const Binding& bound, expr::Expr condition, const Sample& sample,
                                         const SampleSizes& sizes, double run_tolerance);

}  // namespace vinculum::sim
