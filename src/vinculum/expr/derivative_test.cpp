#include "vinculum/expr/derivative.hpp"

#include <gtest/gtest.h>

namespace vinculum::expr {
namespace {

TEST(Derivative, FollowsTheRulesOfCalculus) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  EXPECT_EQ(derivative(x * x * x, x), 3.0 * (x * x));
  EXPECT_EQ(derivative(sine(x * y), x), y * cosine(x * y));
  EXPECT_EQ(derivative(absolute(x), x), g.make(Op::kSign, x));
  EXPECT_TRUE(derivative(y, x).is_zero());
  EXPECT_EQ(derivative(select(less(x, y), x * x, y), x), select(less(x, y), 2.0 * x, g.constant(0.0)));
}

}  // namespace
}  // namespace vinculum::expr
