#include "vinculum/report/audit_report.hpp"

#include <gtest/gtest.h>

namespace vinculum::report {
namespace {

using Verdict = audit::AuditLine::Verdict;

audit::AuditLine line(const std::string& identity, Verdict verdict, double worst, double allowed) {
  audit::AuditLine line;
  line.identity = identity;
  line.section = "8." + std::to_string(identity.size());
  line.verdict = verdict;
  line.worst = worst;
  line.allowed = allowed;
  line.allowed_from = "rounding";
  line.where = "x'";
  return line;
}

audit::Audit audit_of(std::vector<audit::AuditLine> lines) {
  audit::Audit audit;
  audit.lines = std::move(lines);
  audit.samples = 40;
  return audit;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string verdict_of(std::vector<audit::AuditLine> lines) {
  return first_line(to_text(audit_report("m", audit_of(std::move(lines)))));
}

TEST(AuditReport, LeadsWithTheNearestMargin) {
  const audit::AuditLine exact = line("a", Verdict::kHolds, 0.0, 1e-13),
                         none = line("bb", Verdict::kDoesNotApply, 0, 0),
                         near = line("ccc", Verdict::kHolds, 1e-15, 9.99e-15),
                         far = line("dddd", Verdict::kHolds, 1e-16, 1e-13);
  EXPECT_EQ(verdict_of({exact, none, near, far}),
            "3 identities hold at 40 instants of m; smallest margin 9.9x, of 8.3 ccc");
  EXPECT_EQ(verdict_of({far}), "1 identity holds at 40 instants of m; smallest margin 1000x, of 8.4 dddd");
  EXPECT_EQ(verdict_of({exact, none}), "1 identity holds at 40 instants of m; all residuals are 0");
  EXPECT_EQ(verdict_of({none}), "no identity could be judged at 40 instants of m");
  EXPECT_EQ(verdict_of({line("e", Verdict::kHolds, 1e-16, 1.279e-14)}),
            "1 identity holds at 40 instants of m; smallest margin 120x, of 8.1 e");
  EXPECT_EQ(verdict_of({line("e", Verdict::kHolds, 1e-20, 1e-11)}),
            "1 identity holds at 40 instants of m; smallest margin 1e+09x, of 8.1 e");
}

TEST(AuditReport, ShowsWhatIsBrokenAndTheRestWhereItIsAskedFor) {
  const audit::Audit audit =
      audit_of({line("kept", Verdict::kHolds, 1e-16, 1e-13), line("lost", Verdict::kBroken, 1e-3, 1e-13),
                line("none", Verdict::kDoesNotApply, 0, 0)});
  EXPECT_EQ(to_text(audit_report("m", audit)),
            "1 of 2 identities is BROKEN at 40 instants of m\n"
            "8.4   BROKEN         lost\n"
            "                     worst 1.0e-03 (allowed 1e-13: rounding) at t = 0 s: x'\n"
            "not applicable: 1; `--list` shows every line\n");
  const std::string listed = to_text(audit_report("m", audit, true));
  EXPECT_EQ(first_line(listed), "1 of 2 identities is BROKEN at 40 instants of m");
  for (const char* all : {"holds          kept\n", "BROKEN         lost\n", "does not apply none\n"})
    EXPECT_NE(listed.find(all), std::string::npos) << listed;
  EXPECT_EQ(listed.find("--list"), std::string::npos);
  EXPECT_EQ(to_json(audit_report("m", audit)), to_json(audit_report("m", audit, true)));
}

}  // namespace
}  // namespace vinculum::report
