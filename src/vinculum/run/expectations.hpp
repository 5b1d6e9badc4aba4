#pragma once

#include <memory>
#include <string>
#include <vector>

#include "vinculum/run/simulate.hpp"

namespace vinculum::sim {

/// Result of one `expect` statement of the model.
struct ExpectationResult {
  std::string text;  ///< as in the model text
  diag::SourceRange range;
  bool passed = false;
  bool evaluated = false;             ///< false: the run did not reach the instant where it is judged; `note` says why
  std::vector<double> value = {};     ///< left side at the largest deviation; 3 numbers for a vector; empty for kStop
  std::vector<double> expected = {};  ///< right side there; empty for conditions without two sides
  double deviation = 0.0;  ///< |value − expected|; for `<` and `>` by how much the bound is exceeded (negative:
                           ///< satisfied)
  double t = 0.0;          ///< [s] time of that
  std::string note = {};   ///< one sentence for the reader, if it did not pass
};

/// Whether the model has an `expect stop` of this kind.
[[nodiscard]] bool is_stop_expected(const model::Model& model, const Failure& stopped);

/// Judges the expectations of a model along one run. It is a sink of the run, and needs samples at `times`.
class ExpectationCheck : public Sink {
 public:
  explicit ExpectationCheck(std::shared_ptr<const Binding> bound);
  /// Times of the `expect at T` statements, which the run must sample.
  [[nodiscard]] std::vector<double> times() const;
  /// Wants every state if there is an expectation of kind `always`.
  [[nodiscard]] Wants wants() const override;
  void state(const Sample& sample) override;
  /// The results, in the order of the model.
  [[nodiscard]] std::vector<ExpectationResult> finish(const Trajectory& trajectory) const;

 private:
  /// Values of an expectation at a sample, not judged yet.
  [[nodiscard]] ExpectationResult look(std::size_t index, const Sample& sample) const;
  [[nodiscard]] ExpectationResult found(std::size_t index, const Trajectory& trajectory, bool is_complete) const;
  std::shared_ptr<const Binding> bound_;
  std::vector<ExpectationResult> always_;  ///< [expectations] largest deviation so far of each `always` expectation
};

/// Runs the model and judges every expectation.
/// \param options  as of `options_of`; sample times and the sink are added
struct CheckedRun {
  Trajectory trajectory;
  std::vector<ExpectationResult> results;
};
[[nodiscard]] CheckedRun run_with_expectations(Dynamics& dynamics, SimulateOptions options);

}  // namespace vinculum::sim
