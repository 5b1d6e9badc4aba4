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

TEST_F(Noise, StaysBelowValuesAlongAChainOfTurns) {
  Expr c = graph.constant(1.0), s_ = graph.constant(0.0), place = graph.constant(0.0);
  for (int k = 1; k <= 300; ++k) {
    const Expr turn = x * static_cast<double>(k % 7 + 1), cosine_of = cosine(turn), sine_of = sine(turn);
    const Expr next = c * cosine_of - s_ * sine_of;
    s_ = s_ * cosine_of + c * sine_of;
    c = next;
    place += c;
  }
  EXPECT_FALSE(of(place).may_be_zero());
  EXPECT_LT(of(place).error, 1e-9 * std::abs(of(place).value));
  EXPECT_TRUE(of(square(c) + square(s_) - 1.0).may_be_zero());
}

TEST_F(Noise, OfManyIsThatOfEachAlone) {
  const Expr pulse = graph.make(Op::kExponential, -1e6 * square(x - 3.0));
  const Expr identity = square(x + y) - square(x) - 2.0 * x * y - square(y);
  const Expr roots[] = {identity, pulse, x * y, pulse * identity};
  const Expr symbols[] = {x, y, s};
  const double values[] = {0.7, -0.4, 1e9};
  const std::vector<Judged> judged = interpret_each_with_noise(roots, symbols, values);
  for (std::size_t i = 0; i < std::size(roots); ++i) {
    EXPECT_EQ(judged[i].at, of(roots[i])) << i;
    EXPECT_EQ(judged[i].is_saturated, is_saturated({&roots[i], 1}, symbols, values)) << i;
  }
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
