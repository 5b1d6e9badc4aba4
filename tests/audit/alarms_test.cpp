// The audit must not raise false alarms: correct motions pass in all units.
#include <gtest/gtest.h>

#include "audit/motions.hpp"

namespace vinculum::audit {
namespace alarms_test {

using Verdict = AuditLine::Verdict;

TEST(Alarms, RightMotionsRaiseNone) {
  for (const auto& [name, text] : right_motions()) {
    Motion motion(restated(text, {}));
    EXPECT_FALSE(motion.trajectory.stopped) << name << ": " << motion.trajectory.stopped->message;
    const Audit audit = motion.judged();
    EXPECT_TRUE(audit.is_success()) << name << "\n" << broken_lines(audit);
  }
}

/// The same run in other units must give the same verdict in each line.
void expect_twins(const Units& units) {
  for (const auto& [name, text] : right_motions()) {
    Motion own(restated(text, {})), other(restated(text, units));
    const Audit audit = own.judged(6), twin = other.judged(6);
    EXPECT_TRUE(twin.is_success()) << name << "\n" << broken_lines(twin);
    ASSERT_EQ(audit.lines.size(), twin.lines.size());
    for (std::size_t i = 0; i < audit.lines.size(); ++i)
      EXPECT_EQ(audit.lines[i].verdict, twin.lines[i].verdict) << name << ": " << audit.lines[i].identity;
  }
}

TEST(Alarms, TwinsInOtherUnitsHaveTheSameVerdicts) {
  expect_twins({20, -20, 10});
  expect_twins({-20, 20, -10});
}

TEST(Alarms, TwinsInTenFurtherUnitsHaveTheSameVerdicts) {
  for (const Units& units :
       {Units{20, 0, 0}, Units{-20, 0, 0}, Units{0, 20, 0}, Units{0, -20, 0}, Units{0, 0, 10}, Units{0, 0, -10},
        Units{20, 20, 10}, Units{-20, -20, -10}, Units{7, -13, 5}, Units{-11, 17, -3}})
    expect_twins(units);
}

}  // namespace alarms_test
}  // namespace vinculum::audit
