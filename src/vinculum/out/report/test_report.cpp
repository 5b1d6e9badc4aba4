#include "vinculum/out/report/test_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "vinculum/diag/render.hpp"
#include "vinculum/out/report/audit_report.hpp"

namespace vinculum::out {
namespace {

using Json = nlohmann::ordered_json;

Json array_of(const std::vector<double>& values) {
  Json array = Json::array();
  for (const double value : values) array.push_back(std::isfinite(value) ? Json(value) : Json(nullptr));
  return array;
}

}  // namespace

int ModelVerdict::passed() const {
  return static_cast<int>(std::ranges::count_if(results, &sim::ExpectationResult::passed));
}

int ModelVerdict::failed() const {
  return static_cast<int>(results.size()) - passed() + (problem.empty() ? 0 : 1) + (audit.holds() ? 0 : 1);
}

void render_failures(const mechanics::Model& model, ModelVerdict& verdict) {
  verdict.rendered.assign(verdict.results.size(), "");
  for (std::size_t i = 0; i < verdict.results.size(); ++i) {
    const sim::ExpectationResult& result = verdict.results[i];
    if (result.passed) continue;
    verdict.rendered[i] =
        diag::render_message(model.source_text, {"failed", "expectation", result.range, result.note, "", {}, ""});
  }
}

std::string test_text(const ModelVerdict& verdict) {
  std::string text =
      fmt::format("{:<6} {:<50} {:>4} of {:>4} expectations  {:8.1f} ms\n", verdict.failed() == 0 ? "ok" : "FAILED",
                  verdict.file, verdict.passed(), verdict.results.size(), verdict.seconds * 1e3);
  text += verdict.problem;
  for (const std::string& rendered : verdict.rendered) text += rendered;
  if (!verdict.audit.holds()) text += "audit of the motion:\n" + broken_lines(verdict.audit);
  return text;
}

std::string test_totals(std::span<const ModelVerdict> verdicts) {
  int passed = 0;
  int failed = 0;
  for (const ModelVerdict& verdict : verdicts) {
    passed += verdict.passed();
    failed += verdict.failed();
  }
  return fmt::format("{} {}, {} {} checked: {} passed, {} failed\n", verdicts.size(),
                     verdicts.size() == 1 ? "model" : "models", passed + failed,
                     passed + failed == 1 ? "expectation" : "expectations", passed, failed);
}

std::string test_json(std::span<const ModelVerdict> verdicts) {
  Json models = Json::array();
  int passed = 0;
  int failed = 0;
  for (const ModelVerdict& verdict : verdicts) {
    Json expectations = Json::array();
    for (const sim::ExpectationResult& result : verdict.results) {
      expectations.push_back({{"text", result.text},
                              {"passed", result.passed},
                              {"value", array_of(result.value)},
                              {"expected", array_of(result.expected)},
                              {"deviation", std::isfinite(result.deviation) ? Json(result.deviation) : Json(nullptr)},
                              {"t", result.t},
                              {"note", result.note}});
    }
    Json broken = Json::array();
    for (const audit::AuditLine& line : verdict.audit.lines) {
      if (line.verdict == audit::AuditLine::Verdict::kBroken) broken.push_back(line.identity);
    }
    models.push_back({{"file", verdict.file},
                      {"model", verdict.model},
                      {"problem", verdict.problem},
                      {"passed", verdict.passed()},
                      {"failed", verdict.failed()},
                      {"expectations", std::move(expectations)},
                      {"audit", {{"holds", verdict.audit.holds()}, {"broken", std::move(broken)}}}});
    passed += verdict.passed();
    failed += verdict.failed();
  }
  const Json result = {{"models", std::move(models)}, {"passed", passed}, {"failed", failed}};
  return result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vinculum::out
