#pragma once

#include <span>
#include <string>
#include <vector>

#include "vinculum/audit/audit.hpp"
#include "vinculum/sim/run/expectations.hpp"

namespace vinculum::out {

/// How the expectations of one model came out; `problem` is set when the model could not be run at all.
struct ModelVerdict {
  std::string file;
  std::string model;
  std::string problem;  ///< rendered diagnostics or failure; empty when it ran
  std::vector<sim::ExpectationResult> results;
  std::vector<std::string> rendered;  ///< [results] place and reason of those that failed, else empty
  audit::Audit audit;                 ///< of the motion; no lines where there is none
  double seconds = 0.0;

  [[nodiscard]] int passed() const;
  /// Expectations, the run itself and the audit, that one counted once.
  [[nodiscard]] int failed() const;
};

/// Fills `rendered` from the model's text.
void render_failures(const mechanics::Model& model, ModelVerdict& verdict);

/// A line for the model, every failed expectation at its place, and every broken identity.
[[nodiscard]] std::string test_text(const ModelVerdict& verdict);
/// The closing line: how many models and expectations were checked, how many failed.
[[nodiscard]] std::string test_totals(std::span<const ModelVerdict> verdicts);
/// {"models": [{"file", "model", "problem", "passed", "failed", "expectations": [{"text", "passed", "value",
/// "expected", "deviation", "t", "note"}], "audit": {"holds", "broken"}}], "passed", "failed"}
[[nodiscard]] std::string test_json(std::span<const ModelVerdict> verdicts);

}  // namespace vinculum::out
