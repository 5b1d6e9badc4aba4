#include "vinculum/report/audit_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vinculum::report {
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

Node line_of(const audit::AuditLine& line, bool is_listed) {
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
  if (is_listed || line.verdict == Verdict::kBroken) node.said = line_text(line);
  return node;
}

std::string plural(std::ptrdiff_t count) { return fmt::format("{} {}", count, count == 1 ? "identity" : "identities"); }

/// Writes the factor by which a residual is below its limit.
std::string times(double margin) {
  if (margin < 10.0) return fmt::format("{:.1f}", std::floor(10.0 * margin) / 10.0);
  if (margin >= 1e6) return fmt::format("{:.0e}", margin);
  const double unit = std::pow(10.0, std::floor(std::log10(margin)) - 1.0);
  return fmt::format("{:.0f}", std::floor(margin / unit) * unit);
}

/// Returns the verdict of an audit as one sentence.
std::string verdict_text(const std::string& model, const audit::Audit& audit) {
  const auto count = [&](Verdict verdict) {
    return std::ranges::count(audit.lines, verdict, &audit::AuditLine::verdict);
  };
  const std::ptrdiff_t held = count(Verdict::kHolds), broken = count(Verdict::kBroken);
  const std::string where = fmt::format("at {} instants of {}", audit.samples, model);
  if (broken > 0)
    return fmt::format("{} of {} {} BROKEN {}\n", broken, plural(held + broken), broken == 1 ? "is" : "are", where);
  if (held == 0) return fmt::format("no identity could be judged {}\n", where);
  const audit::AuditLine* nearest = nullptr;
  const auto margin = [](const audit::AuditLine& line) { return line.allowed / line.worst; };
  for (const audit::AuditLine& line : audit.lines) {
    if (line.verdict != Verdict::kHolds || !(line.worst > 0.0)) continue;
    if (nearest == nullptr || margin(line) < margin(*nearest)) nearest = &line;
  }
  std::string text = fmt::format("{} {} {}", plural(held), held == 1 ? "holds" : "hold", where);
  text += nearest == nullptr ? "; all residuals are 0"
                             : fmt::format("; smallest margin {}x, of {} {}", times(margin(*nearest)), nearest->section,
                                           nearest->identity);
  return text + "\n";
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

Node audit_report(const std::string& model, const audit::Audit& audit, bool is_listed) {
  Node report =
      Node::object({{"format", kFormat}, {"model", model}, {"holds", audit.is_success()}, {"samples", audit.samples}});
  report.said = verdict_text(model, audit);
  Node& lines = report.add("lines", Node::list());
  for (const audit::AuditLine& line : audit.lines) lines.add(line_of(line, is_listed));
  const auto without = std::ranges::count(audit.lines, Verdict::kDoesNotApply, &audit::AuditLine::verdict);
  if (!is_listed) report.say(fmt::format("not applicable: {}; `--list` shows every line\n", without));
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

}  // namespace vinculum::report
