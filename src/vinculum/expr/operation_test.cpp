#include "vinculum/expr/operation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <set>

namespace vinculum::expr {
namespace {

const double kNan = std::nan("");
const double kInfinity = std::numeric_limits<double>::infinity();

TEST(OperationTable, HasARowForEveryOperationInTheirOrder) {
  const auto table = operation_table();
  ASSERT_EQ(table.size(), static_cast<std::size_t>(Op::kTable) + 1);
  for (std::size_t i = 0; i < table.size(); ++i) EXPECT_EQ(static_cast<std::size_t>(table[i].op), i);
}

TEST(OperationTable, NamesEveryOperationThatIsNotALeafOnce) {
  std::set<std::string> seen;
  for (const OperationInfo& info : operation_table()) {
    if (info.arity == 0) continue;
    EXPECT_NE(info.name.empty(), info.infix.empty()) << static_cast<int>(info.op);
    const std::string key = std::string(info.name) + std::string(info.infix) + std::to_string(info.arity);
    EXPECT_TRUE(seen.insert(key).second) << key;
    EXPECT_EQ(info.precedence == 100, info.infix.empty());
  }
}

TEST(EvaluatePower, AgreesWithTheLibraryToRounding) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> base(0.1, 3.0);
  for (int twice = -129; twice <= 129; ++twice) {
    PowerPlan plan;
    ASSERT_TRUE(find_power_plan(0.5 * twice, plan)) << twice;
    for (int k = 0; k < 20; ++k) {
      const double x = base(random), truth = std::pow(x, 0.5 * twice);
      // At most 14 products occur, and each is rounded once; later squarings double an error. In total at most |y| + 3
      // roundings.
      EXPECT_NEAR(evaluate_power(x, 0.5 * twice), truth, (std::abs(twice) / 2.0 + 3.0) * 2.3e-16 * truth)
          << x << " ^ " << 0.5 * twice;
    }
  }
}

TEST(EvaluatePower, TakesNegativeBasesToWholePowers) {
  EXPECT_EQ(evaluate_power(-2.0, 3.0), -8.0);
  EXPECT_EQ(evaluate_power(-2.0, -2.0), 0.25);
  EXPECT_EQ(evaluate_power(-2.0, 101.0), std::pow(-2.0, 101.0));
  EXPECT_TRUE(std::isnan(evaluate_power(-2.0, 0.3)));
  EXPECT_TRUE(std::isnan(evaluate_power(-2.0, 1.5)));
  EXPECT_EQ(evaluate_power(0.0, 0.0), 1.0);
  EXPECT_EQ(evaluate_power(0.0, 2.5), 0.0);
  EXPECT_EQ(evaluate_power(0.0, -1.0), kInfinity);
}

TEST(EvaluatePower, HasNoPlanForOtherExponents) {
  PowerPlan plan;
  for (const double y : {0.3, 65.0, -65.0, 1e300, kInfinity, kNan, 0.25}) EXPECT_FALSE(find_power_plan(y, plan)) << y;
}

TEST(EvaluateOperation, LetsNoNaNDisappearInMinimumMaximumSign) {
  for (const Op op : {Op::kMinimum, Op::kMaximum}) {
    EXPECT_TRUE(std::isnan(evaluate_operation(op, kNan, 1.0)));
    EXPECT_TRUE(std::isnan(evaluate_operation(op, 1.0, kNan)));
  }
  EXPECT_TRUE(std::isnan(evaluate_operation(Op::kSign, kNan)));
  EXPECT_EQ(evaluate_operation(Op::kMinimum, 2.0, 1.0), 1.0);
  EXPECT_EQ(evaluate_operation(Op::kMaximum, 2.0, 1.0), 2.0);
  EXPECT_EQ(evaluate_operation(Op::kSign, -3.0), -1.0);
  EXPECT_EQ(evaluate_operation(Op::kSign, 0.0), 0.0);
}

TEST(EvaluateOperation, TakesTheSelectedBranchOnly) {
  EXPECT_EQ(evaluate_operation(Op::kSelect, 1.0, 2.0, kNan), 2.0);
  EXPECT_EQ(evaluate_operation(Op::kSelect, 0.0, kNan, 3.0), 3.0);
  EXPECT_EQ(evaluate_operation(Op::kSelect, -0.5, 2.0, 3.0), 2.0);
}

TEST(EvaluateOperation, KnowsTruthAsOneAndZero) {
  EXPECT_EQ(evaluate_operation(Op::kLess, 1.0, 2.0), 1.0);
  EXPECT_EQ(evaluate_operation(Op::kLess, kNan, 2.0), 0.0);
  EXPECT_EQ(evaluate_operation(Op::kNotEqual, kNan, kNan), 1.0);
  EXPECT_EQ(evaluate_operation(Op::kAnd, 3.0, -1.0), 1.0);
  EXPECT_EQ(evaluate_operation(Op::kOr, 0.0, 0.0), 0.0);
  EXPECT_EQ(evaluate_operation(Op::kNot, 0.0), 1.0);
}

}  // namespace
}  // namespace vinculum::expr
