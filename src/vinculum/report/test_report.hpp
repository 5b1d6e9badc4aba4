#pragma once

#include <span>

#include "vinculum/report/tree.hpp"
#include "vinculum/run/expectations.hpp"
#include "vinculum/verify/audit/audit.hpp"

namespace vinculum::report {

/// How the expectations of one model came out; `problem` is set when the model could not be run at all.
struct ModelVerdict {
  std::string file;
  std::shared_ptr<const model::Model> model;  ///< null where the file has none
  std::string problem;                        ///< rendered diagnostics or failure; empty when it ran
  std::vector<sim::ExpectationResult> results;
  audit::Audit audit;  ///< of the motion; no lines where there is none
  double seconds = 0.0;

  [[nodiscard]] int passed() const;
  [[nodiscard]] int checked() const;
  /// Expectations, the run itself and the audit, that one counted once.
  [[nodiscard]] int failed() const;
};

/// A line for the model, every failed expectation at its place, and every broken identity (docs/json.md).
[[nodiscard]] Node verdict_report(const ModelVerdict& verdict);
/// The closing line: how many models and expectations were checked, how many failed.
[[nodiscard]] std::string test_totals(std::span<const ModelVerdict> verdicts);
/// {"models", "passed", "failed"}
[[nodiscard]] Node test_report(std::span<const ModelVerdict> verdicts);

}  // namespace vinculum::report
