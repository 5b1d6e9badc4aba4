#pragma once

#include <span>

#include "vinculum/report/tree.hpp"
#include "vinculum/run/expectations.hpp"
#include "vinculum/verify/audit/audit.hpp"

namespace vinculum::report {

/// Results of the `expect` statements of one model. `problem` is set if the model could not be run.
struct ModelVerdict {
  std::string file;
  std::shared_ptr<const model::Model> model;  ///< null if the file does not contain a valid model
  std::string problem;                        ///< diagnostics or failure as text; empty if the model ran
  std::vector<sim::ExpectationResult> results;
  audit::Audit audit;  ///< audit of the motion; no lines if there is no motion
  double seconds = 0.0;

  [[nodiscard]] int passed() const;
  [[nodiscard]] int checked() const;
  /// Returns the number of failed expectations, plus 1 if the run failed, plus 1 if the audit failed.
  [[nodiscard]] int failed() const;
};

/// Reports on one model: one line for the model, every failed expectation with its position in the text, and every
/// broken identity (docs/json.md).
[[nodiscard]] Node verdict_report(const ModelVerdict& verdict);
/// Returns the closing line: numbers of models and expectations checked, and number of failures.
[[nodiscard]] std::string test_totals(std::span<const ModelVerdict> verdicts);
/// Returns the node {"models", "passed", "failed"} with the totals of all models.
[[nodiscard]] Node test_report(std::span<const ModelVerdict> verdicts);

}  // namespace vinculum::report
