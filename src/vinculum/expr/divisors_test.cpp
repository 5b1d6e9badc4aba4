#include "vinculum/expr/divisors.hpp"

#include <gtest/gtest.h>

#include <array>

namespace vinculum::expr {
namespace {

class Divisors : public testing::Test {
 protected:
  std::optional<Divisor> of(Expr root, double at_x, double at_y) {
    const Expr symbols[] = {x, y};
    const double values[] = {at_x, at_y};
    return smallest_divisor({&root, 1}, symbols, values);
  }
  Graph graph;
  Expr x = graph.symbol("x"), y = graph.symbol("y");
};

TEST_F(Divisors, AreNoneWhereNothingDivides) { EXPECT_FALSE(of(x * y + 2.0, 1.0, 1.0)); }

TEST_F(Divisors, AreSmallBesideTheirTermsNotBesideOne) {
  const Expr quotient = 1.0 / (x - y) + 1.0 / x;
  EXPECT_EQ(of(quotient, 0x1p-30, 3 * 0x1p-30)->relative, of(quotient, 1.0, 3.0)->relative) << "in other units";
  EXPECT_GT(of(quotient, 0x1p-30, 3 * 0x1p-30)->relative, 0.1);
  const auto near = of(quotient, 1.0, 1.0 + 1e-9);
  EXPECT_LT(near->relative, 1e-8);
  EXPECT_EQ(near->text, "x - y");
  EXPECT_EQ(of(quotient, 2.0, 2.0)->relative, 0.0);
}

TEST_F(Divisors, OfLengthsShrinkWithTheLength) {
  const auto near = of(x / square_root(square(x - y)), 1.0, 1.0 + 1e-9);
  ASSERT_TRUE(near);
  EXPECT_LT(near->relative, 1e-7);
}

}  // namespace
}  // namespace vinculum::expr
