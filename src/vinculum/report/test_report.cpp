#include "vinculum/report/test_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "vinculum/diag/render.hpp"
#include "vinculum/report/audit_report.hpp"

namespace vinculum::report {
namespace {

Node expectation_of(const ModelVerdict& verdict, const sim::ExpectationResult& result) {
  Node node = Node::object({{"text", result.text},
                            {"passed", result.passed},
                            {"value", result.value},
                            {"expected", result.expected},
                            {"deviation", result.deviation},
                            {"t", result.t},
                            {"note", result.note}});
  if (!result.passed) {
    node.said = diag::render_message(verdict.model->source_text,
                                     {"failed", "expectation", result.range, result.note, "", {}, ""});
  }
  return node;
}

int sum(std::span<const ModelVerdict> verdicts, int (ModelVerdict::*count)() const) {
  return std::transform_reduce(verdicts.begin(), verdicts.end(), 0, std::plus(), std::mem_fn(count));
}

}  // namespace

int ModelVerdict::passed() const {
  return static_cast<int>(std::ranges::count_if(results, &sim::ExpectationResult::passed));
}

int ModelVerdict::checked() const { return static_cast<int>(results.size()); }

int ModelVerdict::failed() const {
  return static_cast<int>(results.size()) - passed() + (problem.empty() ? 0 : 1) + (audit.holds() ? 0 : 1);
}

Node verdict_report(const ModelVerdict& verdict) {
  Node report = Node::object({{"file", verdict.file}, {"model", verdict.model ? verdict.model->name : ""}});
  const bool is_not_run = verdict.results.empty() && !verdict.problem.empty();
  const std::string kept = fmt::format("{:>4} of {:>4} expectations", verdict.passed(), verdict.results.size());
  report.said = fmt::format("{:<6} {:<50} {:<25}  {:8.1f} ms\n", verdict.failed() == 0 ? "ok" : "FAILED", verdict.file,
                            is_not_run ? "        could not be run" : kept, verdict.seconds * 1e3);
  report.add("problem", verdict.problem).said = verdict.problem;
  report.add("passed", verdict.passed());
  report.add("failed", verdict.failed());
  Node& expectations = report.add("expectations", Node::list());
  for (const sim::ExpectationResult& result : verdict.results) expectations.add(expectation_of(verdict, result));
  report.add("audit", audit_verdict(verdict.audit));
  return report;
}

std::string test_totals(std::span<const ModelVerdict> verdicts) {
  const int passed = sum(verdicts, &ModelVerdict::passed), checked = sum(verdicts, &ModelVerdict::checked);
  const auto counted = [](auto count, const std::string& what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  std::string text = fmt::format("{}, {} checked: {} passed, {} failed", counted(verdicts.size(), "model"),
                                 counted(checked, "expectation"), passed, checked - passed);
  const auto not_run = std::ranges::count_if(verdicts, [](const auto& one) { return !one.problem.empty(); });
  const auto not_held = std::ranges::count_if(verdicts, [](const auto& one) { return !one.audit.holds(); });
  if (not_run > 0) text += fmt::format("; {} could not be run", counted(not_run, "model"));
  if (not_held > 0) text += fmt::format("; the audit of {} is broken", counted(not_held, "motion"));
  return text + "\n";
}

Node test_report(std::span<const ModelVerdict> verdicts) {
  Node report = Node::object({{"format", kFormat}});
  Node& models = report.add("models", Node::list());
  for (const ModelVerdict& verdict : verdicts) models.add(verdict_report(verdict));
  report.add("passed", sum(verdicts, &ModelVerdict::passed));
  report.add("failed", sum(verdicts, &ModelVerdict::failed));
  report.say(test_totals(verdicts));
  return report;
}

}  // namespace vinculum::report
