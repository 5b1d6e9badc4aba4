#include "vinculum/out/report/audit_report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace vinculum::out {
namespace {

using Verdict = audit::AuditLine::Verdict;

std::string line_text(const audit::AuditLine& line) {
  std::string text = fmt::format("{:<5} {:<14} {}\n", line.section,
                                 line.verdict == Verdict::kBroken ? "BROKEN" : to_string(line.verdict), line.identity);
  if (line.verdict != Verdict::kDoesNotApply) {
    text += fmt::format("{:21}worst {:.1e} (allowed {:.0e}: {}) at t = {:.6g} s: {}\n", "", line.worst, line.allowed,
                        line.allowed_from, line.t, line.where);
  }
  if (!line.reason.empty()) text += fmt::format("{:21}{}\n", "", line.reason);
  return text;
}

Node line_of(const audit::AuditLine& line) {
  const bool applies = line.verdict != Verdict::kDoesNotApply;
  Node node = Node::object({{"identity", line.identity},
                            {"section", line.section},
                            {"verdict", std::string(to_string(line.verdict))},
                            {"worst", applies ? Node(line.worst) : nullptr},
                            {"allowed", applies ? Node(line.allowed) : nullptr},
                            {"allowed_from", line.allowed_from},
                            {"t", applies ? Node(line.t) : nullptr},
                            {"where", line.where},
                            {"reason", line.reason}});
  node.said = line_text(line);
  return node;
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds: return "holds";
    case Verdict::kBroken: return "broken";
    case Verdict::kDoesNotApply: return "does not apply";
  }
  return "";
}

Node audit_report(const std::string& model, const audit::Audit& audit) {
  Node report =
      Node::object({{"format", kFormat}, {"model", model}, {"holds", audit.is_success()}, {"samples", audit.samples}});
  report.said = fmt::format("audit of {} at {} instants\n", model, audit.samples);
  Node& lines = report.add("lines", Node::list());
  for (const audit::AuditLine& line : audit.lines) lines.add(line_of(line));
  const auto count = [&](Verdict verdict) {
    return std::ranges::count(audit.lines, verdict, &audit::AuditLine::verdict);
  };
  report.say(fmt::format("{} of {} identities hold, {} broken, {} without application\n", count(Verdict::kHolds),
                         audit.lines.size(), count(Verdict::kBroken), count(Verdict::kDoesNotApply)));
  if (audit.stopped)
    report.add("stopped", std::string(failure_info(audit.stopped->kind).name)).said =
        fmt::format("no success: the run stopped at t = {:.6g} s [{}], and the model does not expect it\n",
                    audit.stopped->t, failure_info(audit.stopped->kind).name);
  else
    report.add("stopped", nullptr);
  return report;
}

Node audit_verdict(const audit::Audit& audit) {
  Node verdict = Node::object({{"holds", audit.is_success()}});
  Node& broken = verdict.add("broken", Node::list());
  for (const audit::AuditLine& line : audit.lines) {
    if (line.verdict != Verdict::kBroken) continue;
    broken.said = "audit of the motion:\n";
    broken.add(line.identity).said = line_text(line);
  }
  return verdict;
}

}  // namespace vinculum::out
