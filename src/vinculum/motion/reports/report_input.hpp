#pragma once

#include <span>
#include <vector>

#include "vinculum/base/rounded.hpp"
#include "vinculum/motion/sample.hpp"
#include "vinculum/motion/state_kernels.hpp"

namespace vinculum::sim {

/// Input of the report kernels at an instant: t, q, u, z, u', λ, λ_ideal, efforts, s, highest derivatives, vectors.
class ReportInput {
 public:
  explicit ReportInput(StateKernels& at);

  void fill(double t, const double* y, const Sample& sample);
  /// Evaluates a report kernel into `StateKernels::result`.
  void evaluate(const BoundKernel& kernel) {
    kernel.evaluate(numbers_.data(), at_.result.data(), at_.workspace.data());
  }

  /// Evaluates expressions with error bounds. The bounds include rounding errors, and the effect of an error of the
  /// state of `kZero` × typical size, because states satisfy the constraints only to this accuracy.
  [[nodiscard]] std::vector<Rounded> with_noise(std::span<const expr::Expr> values) const;
  /// Returns a text that says which of these expressions is not finite, and why.
  [[nodiscard]] std::string explain_non_finite(std::span<const expr::Expr> values) const;
  [[nodiscard]] double t() const { return numbers_.front(); }

 private:
  StateKernels& at_;
  std::vector<double> numbers_;
};

}  // namespace vinculum::sim
