#include "vinculum/verify/audit/judge.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

namespace vinculum::audit {
namespace {

using Verdict = AuditLine::Verdict;

TEST(Judge, HoldsEachResidualToItsOwnLimit) {
  Judge judge("a line", "8.0");
  judge.see({1e-3, 2e-3}, 1e6, 0.0, "large");
  judge.see({1e-12, 1e-13}, 1.0, 0.5, "small");
  const AuditLine line = judge.verdict();
  EXPECT_EQ(line.verdict, Verdict::kBroken);
  EXPECT_EQ(line.where, "small");
  EXPECT_EQ(line.t, 0.5);
  EXPECT_DOUBLE_EQ(line.worst, 1e-12);
  EXPECT_DOUBLE_EQ(line.allowed, 1e-13);
}

TEST(Judge, AllowsWhatStandsBesideRounding) {
  Judge judge("a line", "8.0", "residual of a projection");
  judge.see({1e-12, 1e-13}, 1.0, 0.0, "row", 1e-11);
  EXPECT_EQ(judge.verdict().verdict, Verdict::kHolds);
  EXPECT_EQ(judge.verdict().allowed_from, "rounding, residual of a projection");
}

TEST(Judge, OfNothingSaysWhy) {
  Judge empty("a line", "8.0");
  empty.where_nothing("nothing acts");
  EXPECT_EQ(empty.verdict().verdict, Verdict::kDoesNotApply);
  EXPECT_EQ(empty.verdict().reason, "nothing acts");
  empty.see(0.0, 0.0, 0.0, "0 = 0");
  EXPECT_EQ(empty.verdict().verdict, Verdict::kDoesNotApply);
}

TEST(Judge, WhatRoundingHidesIsNotChecked) {
  Judge judge("a line", "8.0");
  judge.see({0.5, 1.0}, 1.0, 0.0, "hidden");
  EXPECT_EQ(judge.verdict().verdict, Verdict::kDoesNotApply);
  EXPECT_NE(judge.verdict().reason.find("rounding error leaves no correct digit"), std::string::npos);
  judge.see({2.0, 1.0}, 1.0, 0.0, "beyond it");
  EXPECT_EQ(judge.verdict().verdict, Verdict::kBroken);
}

TEST(Judge, DoesNotJudgeTermsThatUnderflow) {
  const double least = std::numeric_limits<double>::denorm_min();
  for (const auto& [residual, size] : {std::pair{least, least}, {least, 0.0}, {1e-310, 4e-310}}) {
    Judge judge("a line", "8.0");
    judge.see(residual, size, 0.0, "a speed that has decayed");
    EXPECT_EQ(judge.verdict().verdict, Verdict::kDoesNotApply) << residual;
    judge.see(1e-290, 1e-290, 0.1, "wrong");
    EXPECT_EQ(judge.verdict().verdict, Verdict::kBroken) << residual;
    EXPECT_EQ(judge.verdict().where, "wrong");
  }
}

TEST(Judge, WhatIsNoNumberBreaks) {
  Judge judge("a line", "8.0");
  judge.see({0.0, 1e-16}, 1.0, 0.0, "right");
  judge.see(std::nan(""), 1.0, 0.1, "wrong");
  EXPECT_EQ(judge.verdict().verdict, Verdict::kBroken);
  EXPECT_EQ(judge.verdict().where, "wrong");
}

TEST(Judge, MeasuresWhatCancelsByTheTermsThatItsRoundingTells) {
  const auto verdict = [](Rounded residual) {
    Judge judge("held by the coordinates", "8.1");
    judge.see_cancelled(residual, 0.0, "row");
    return judge.verdict().verdict;
  };
  for (const double unit : {1e-9, 1.0, 1e9}) {
    EXPECT_EQ(verdict({0.0, 1e-16 * unit}), Verdict::kHolds);
    EXPECT_EQ(verdict({5e-16 * unit, 1e-16 * unit}), Verdict::kHolds) << "a decimal number is not exact";
    EXPECT_EQ(verdict({1e-14 * unit, 1e-16 * unit}), Verdict::kBroken);
  }
  EXPECT_EQ(verdict({1e-30, 0.0}), Verdict::kBroken) << "nothing cancels";
}

}  // namespace
}  // namespace vinculum::audit
