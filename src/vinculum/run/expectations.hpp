#pragma once

#include <memory>
#include <string>
#include <vector>

#include "vinculum/run/simulate.hpp"

namespace vinculum::sim {

/// How one `expect` of the model came out.
struct ExpectationResult {
  std::string text;  ///< as the user wrote it
  diag::SourceRange range;
  bool passed = false;
  bool evaluated = false;             ///< false: the run never came to where it could be judged; `note` says why
  std::vector<double> value = {};     ///< left side where it deviates most, 3 numbers for a vector; empty for kStop
  std::vector<double> expected = {};  ///< right side there; empty for conditions without two sides
  double deviation = 0.0;  ///< |value − expected|; for `<` and `>` by how much the bound is passed (negative: kept)
  double t = 0.0;          ///< [s] where that is
  std::string note = {};   ///< one sentence for the reader when it did not pass
};

/// Whether the model says `expect stop` of this kind.
[[nodiscard]] bool is_stop_expected(const model::Model& model, const Failure& stopped);

/// Judges a model's expectations along one run: a sink of it that wants samples at `times`.
class ExpectationCheck : public Sink {
 public:
  explicit ExpectationCheck(std::shared_ptr<const Binding> bound);
  /// Times at which the run must land: those of `expect at T`.
  [[nodiscard]] std::vector<double> times() const;
  /// Every state where something is to hold always.
  [[nodiscard]] Wants wants() const override;
  void state(const Sample& sample) override;
  /// The verdicts, in the order of the model.
  [[nodiscard]] std::vector<ExpectationResult> finish(const Trajectory& trajectory) const;

 private:
  /// Found at a sample, not judged yet.
  [[nodiscard]] ExpectationResult look(std::size_t index, const Sample& sample) const;
  [[nodiscard]] ExpectationResult found(std::size_t index, const Trajectory& trajectory, bool is_complete) const;
  std::shared_ptr<const Binding> bound_;
  std::vector<ExpectationResult> always_;  ///< [expectations] where each deviated most so far
};

/// Runs the model and judges every expectation. \param options  as of `options_of`; times and observers are added.
struct CheckedRun {
  Trajectory trajectory;
  std::vector<ExpectationResult> results;
};
[[nodiscard]] CheckedRun run_with_expectations(Dynamics& dynamics, SimulateOptions options);

}  // namespace vinculum::sim
