#include "vinculum/out/report/audit_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace vinculum::out {
namespace {

using Json = nlohmann::ordered_json;
using Verdict = audit::AuditLine::Verdict;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string line_text(const audit::AuditLine& line) {
  std::string text = fmt::format("{:<5} {:<14} {}\n", line.section, to_string(line.verdict), line.identity);
  constexpr std::string_view kIndent = "                     ";
  if (line.verdict != Verdict::kDoesNotApply) {
    text += fmt::format("{}worst {:.1e} (allowed {:.0e}) at t = {:.6g} s: {}\n", kIndent, line.worst, line.allowed,
                        line.t, line.where);
  }
  if (!line.reason.empty()) text += fmt::format("{}{}\n", kIndent, line.reason);
  return text;
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  return verdict == Verdict::kHolds ? "holds" : verdict == Verdict::kBroken ? "BROKEN" : "does not apply";
}

std::string audit_text(const std::string& model, const audit::Audit& audit) {
  std::string text = fmt::format("audit of {} at {} instants\n", model, audit.samples);
  int held = 0, broken = 0;
  for (const audit::AuditLine& line : audit.lines) {
    text += line_text(line);
    held += line.verdict == Verdict::kHolds ? 1 : 0;
    broken += line.verdict == Verdict::kBroken ? 1 : 0;
  }
  return text + fmt::format("{} of {} identities hold, {} broken, {} without application\n", held, audit.lines.size(),
                            broken, static_cast<int>(audit.lines.size()) - held - broken);
}

std::string broken_lines(const audit::Audit& audit) {
  std::string text;
  for (const audit::AuditLine& line : audit.lines) {
    if (line.verdict == Verdict::kBroken) text += line_text(line);
  }
  return text;
}

std::string audit_json(const std::string& model, const audit::Audit& audit) {
  Json lines = Json::array();
  for (const audit::AuditLine& line : audit.lines) {
    const bool applies = line.verdict != Verdict::kDoesNotApply;
    const char* verdict = !applies ? "does not apply" : line.verdict == Verdict::kHolds ? "holds" : "broken";
    lines.push_back({{"identity", line.identity},
                     {"section", line.section},
                     {"verdict", verdict},
                     {"worst", applies ? number(line.worst) : Json(nullptr)},
                     {"allowed", number(line.allowed)},
                     {"t", applies ? number(line.t) : Json(nullptr)},
                     {"where", line.where},
                     {"reason", line.reason}});
  }
  const Json result = {
      {"model", model}, {"holds", audit.holds()}, {"samples", audit.samples}, {"lines", std::move(lines)}};
  return result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vinculum::out
