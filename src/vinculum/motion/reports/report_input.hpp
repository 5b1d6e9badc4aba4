#pragma once

#include <span>
#include <vector>

#include "vinculum/base/rounded.hpp"
#include "vinculum/motion/sample.hpp"
#include "vinculum/motion/state_kernels.hpp"

namespace vinculum::sim {

/// The instant that report kernels are evaluated at: t, q, u, z, u', λ, λ_ideal, efforts, s, highest derivatives,
/// vectors.
class ReportInput {
 public:
  explicit ReportInput(StateKernels& at);

  void fill(double t, const double* y, const Sample& sample);
  /// A report kernel into `StateKernels::result`.
  void evaluate(const BoundKernel& kernel) {
    kernel.evaluate(numbers_.data(), at_.result.data(), at_.workspace.data());
  }

  /// The expressions there with what rounding does to them, and what the state does that lies on the constraints up to
  /// `kZero` of its typical size.
  [[nodiscard]] std::vector<Rounded> with_noise(std::span<const expr::Expr> values) const;
  /// What of these expressions is not finite there.
  [[nodiscard]] std::string explain_non_finite(std::span<const expr::Expr> values) const;
  [[nodiscard]] double t() const { return numbers_.front(); }

 private:
  StateKernels& at_;
  std::vector<double> numbers_;
};

}  // namespace vinculum::sim
