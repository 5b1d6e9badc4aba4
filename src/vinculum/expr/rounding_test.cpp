#include "vinculum/expr/rounding.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace vinculum::expr {
namespace {

class Noise : public testing::Test {
 protected:
  Rounded of(Expr root) {
    const Expr symbols[] = {x, y, s};
    const double values[] = {0.7, -0.4, 1e9};
    return interpret_with_noise({&root, 1}, symbols, values)[0];
  }
  Graph graph;
  Expr x = graph.symbol("x"), y = graph.symbol("y"), s = graph.symbol("s");
};

TEST_F(Noise, TellsIdentitiesFromTermsHoweverSmall) {
  const Expr identity = square(x + y) - square(x) - 2.0 * x * y - square(y);
  EXPECT_TRUE(of(identity).may_be_zero());
  EXPECT_TRUE(of(1e-30 * identity).may_be_zero());
  EXPECT_TRUE(of(1e30 * identity).may_be_zero());
  EXPECT_FALSE(of(1e-30 * x).may_be_zero());
  EXPECT_FALSE(of(identity + 1e-9 * x).may_be_zero());
}

TEST_F(Noise, KnowsWhatALargeTermLeavesOfASmallOne) {
  EXPECT_FALSE(of(square_root(square(s) + s) - s).may_be_zero()) << "a half beside 1e9 is there";
  EXPECT_TRUE(of(square_root(square(s) + x) - s).may_be_zero()) << "1e-10 is not";
}

TEST_F(Noise, FollowsFunctions) {
  const Expr e = graph.make(Op::kExponential, x), l = graph.make(Op::kLogarithm, e);
  EXPECT_TRUE(of(square(sine(x + y)) + square(cosine(x + y)) - 1.0).may_be_zero());
  EXPECT_TRUE(of(l - x).may_be_zero());
  EXPECT_TRUE(of(square_root(square(x + 2.0)) - x - 2.0).may_be_zero());
  EXPECT_FALSE(of(sine(x) - x).may_be_zero());
}

TEST_F(Noise, SeesExponentialsThatAreAsleep) {
  const Expr pulse = graph.make(Op::kExponential, -1e6 * square(x - 3.0));
  const Expr symbols[] = {x, y, s};
  const double values[] = {0.7, -0.4, 1e9};
  EXPECT_FALSE(of(pulse).may_be_zero());
  EXPECT_FALSE(of(1.0 - graph.make(Op::kHyperbolicTangent, s)).may_be_zero());
  EXPECT_TRUE(is_saturated({&pulse, 1}, symbols, values));
  const Expr awake = graph.make(Op::kExponential, x);
  EXPECT_FALSE(is_saturated({&awake, 1}, symbols, values));
}

}  // namespace
}  // namespace vinculum::expr
