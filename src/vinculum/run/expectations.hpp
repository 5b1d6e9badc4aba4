#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vinculum/run/simulate.hpp"
#include "vinculum/run/tolerant_condition.hpp"

namespace vinculum::sim {

/// Result of one `expect` statement of the model.
struct ExpectationResult {
  std::string text;  ///< the statement as in the model text
  diag::SourceRange range;
  bool passed = false;
  bool evaluated = false;             ///< false: the run did not reach the instant to be judged; see `note`
  std::vector<double> value = {};     ///< left side at the largest deviation; 3 numbers for a vector; empty for kStop
  std::vector<double> expected = {};  ///< right side at the same instant; empty for conditions without two sides
  double deviation = 0.0;  ///< |value − expected|; for `<` and `>` the excess over the bound (negative: satisfied)
  double t = 0.0;          ///< [s] time of `deviation`
  std::string note = {};   ///< one sentence for the reader, if the statement did not pass
};

/// Whether the model has an `expect stop` statement for this kind of failure.
[[nodiscard]] bool is_stop_expected(const model::Model& model, const Failure& stopped);

/// Judges the expectations of a model along one run, as a sink of the run. The run must have samples at `times`.
class ExpectationCheck : public Sink {
 public:
  /// \param run_tolerance  relative tolerance of the run
  ExpectationCheck(std::shared_ptr<const Binding> bound, double run_tolerance);
  /// Times of the `expect at T` statements, which the run must sample.
  [[nodiscard]] std::vector<double> times() const;
  /// Requests every state of the run if some expectation is of the kind `always`.
  [[nodiscard]] Wants wants() const override;
  void state(const Sample& sample) override;
  /// Returns the results, in the order of the model.
  [[nodiscard]] std::vector<ExpectationResult> finish(const Trajectory& trajectory) const;

 private:
  /// Evaluates an expectation at a sample without judging it.
  [[nodiscard]] ExpectationResult look(std::size_t index, const Sample& sample) const;
  [[nodiscard]] ExpectationResult found(std::size_t index, const Trajectory& trajectory, bool is_complete) const;
  std::shared_ptr<const Binding> bound_;
  double run_tolerance_;
  /// Whether a condition that failed holds within the accuracy of the run.
  [[nodiscard]] bool is_met_within_accuracy(std::size_t index, const Sample& sample, const SampleSizes& sizes) const;
  std::optional<SampleSizes> sizes_;       ///< largest and typical sizes of the numbers so far
  std::vector<ExpectationResult> always_;  ///< [expectations] result with the largest deviation so far, for `always`
};

/// Runs the model and judges every expectation.
/// \param options  as returned by `options_of`; the sample times and the sink are added
struct CheckedRun {
  Trajectory trajectory;
  std::vector<ExpectationResult> results;
};
[[nodiscard]] CheckedRun run_with_expectations(Dynamics& dynamics, SimulateOptions options);

}  // namespace vinculum::sim
