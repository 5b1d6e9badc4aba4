#include "vinculum/expr/greatest_size.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "vinculum/expr/interpreter.hpp"

namespace vinculum::expr {
namespace {

struct Symbols {
  Graph graph;
  Expr x = graph.symbol("x"), y = graph.symbol("y"), a = graph.symbol("a"), b = graph.symbol("b");
  std::vector<Expr> all{x, y, a, b}, fixed{a, b};
};

TEST(GreatestSize, IsOneOfEachSineAndTheSizeOfWhatIsFixed) {
  Symbols s;
  const std::vector<Expr> of{s.graph.constant(-3.0), s.a * s.b - s.a, s.a * sine(s.x + s.y),
                             s.a * cosine(s.x) - s.b * sine(s.y) * cosine(s.x), -square(sine(s.x) + s.a) / s.b};
  const std::vector<Expr> sizes = greatest_sizes(of, s.fixed);
  const double a = -0.7, b = 2.5;
  const auto found = interpret(sizes, s.fixed, std::vector<double>{a, b});
  const double exact[] = {3.0, std::abs(a * b - a), 0.7, 0.7 + 2.5, 1.7 * 1.7 / 2.5};
  for (std::size_t i = 0; i < of.size(); ++i) EXPECT_NEAR(found[i], exact[i], 1e-15) << i;
}

TEST(GreatestSize, IsNoneWhereFormTellsNone) {
  Symbols s;
  const std::vector<Expr> of{s.x, s.a + s.x, s.x * sine(s.x), s.a / sine(s.x), power(sine(s.x), -1.0), power(s.a, s.x)};
  for (const Expr size : greatest_sizes(of, s.fixed)) EXPECT_FALSE(size.is_valid());
  EXPECT_TRUE(greatest_sizes({}, s.fixed).empty());
}

TEST(GreatestSize, IsReachedByNoValue) {
  Symbols s;
  const Expr bar = s.a * cosine(s.x) + s.b * sine(s.x - s.y), product = bar * (sine(s.y) - 0.3);
  const std::vector<Expr> of{bar, product, power(sine(s.x), 3.0) * s.b, absolute(bar) - product};
  const std::vector<Expr> sizes = greatest_sizes(of, s.fixed);
  std::vector<Expr> both = of;
  both.insert(both.end(), sizes.begin(), sizes.end());
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-4.0, 4.0);
  for (int repetition = 0; repetition < 500; ++repetition) {
    const std::vector<double> values{uniform(random), uniform(random), uniform(random), uniform(random)};
    const auto found = interpret(both, s.all, values);
    for (std::size_t i = 0; i < of.size(); ++i) EXPECT_LE(std::abs(found[i]), found[of.size() + i] * (1.0 + 1e-15));
  }
}

}  // namespace
}  // namespace vinculum::expr
