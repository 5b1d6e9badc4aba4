#pragma once

#include <memory>
#include <string>
#include <vector>

#include "vinculum/sim/run/simulate.hpp"

namespace vinculum::sim {

/// How one `expect` of the model came out.
struct ExpectationResult {
  std::string text;  ///< as the user wrote it
  diag::SourceRange range;
  bool passed = false;
  bool evaluated = false;        ///< false: the run never came to where it could be judged; `note` says why
  std::vector<double> value;     ///< left side where it deviates most, 3 numbers for a vector; empty for kStop
  std::vector<double> expected;  ///< right side there; empty for conditions without two sides
  double deviation = 0.0;  ///< |value − expected|; for `<` and `>` by how much the bound is passed (negative: kept)
  double t = 0.0;          ///< [s] where that is
  std::string note;        ///< one sentence for the reader when it did not pass
};

/// Judges a model's expectations along one run. Give `observe` to SimulateOptions::on_state and `times` to
/// sample_times.
class ExpectationCheck {
 public:
  explicit ExpectationCheck(std::shared_ptr<const CompiledModel> compiled);
  /// Times at which the run must land: those of `expect at T`.
  [[nodiscard]] std::vector<double> times() const;
  /// Whether any expectation needs `observe` at every state (`expect always`).
  [[nodiscard]] bool needs_every_state() const;
  void observe(const Sample& sample);
  /// The verdicts, in the order of the model.
  [[nodiscard]] std::vector<ExpectationResult> finish(const Trajectory& trajectory) const;

 private:
  struct State {
    bool seen = false;
    double deviation = 0.0;
    double t = 0.0;
    std::vector<double> value, expected;
  };
  [[nodiscard]] State judge(std::size_t index, const Sample& sample) const;
  std::shared_ptr<const CompiledModel> compiled_;
  std::vector<State> always_;
};

/// Runs the model and judges every expectation. \param options  as of `options_of`; times and observers are added.
struct CheckedRun {
  Trajectory trajectory;
  std::vector<ExpectationResult> results;
};
[[nodiscard]] CheckedRun run_with_expectations(Dynamics& dynamics, SimulateOptions options);

}  // namespace vinculum::sim
