#include "vinculum/expr/readable.hpp"

#include <gtest/gtest.h>

#include "support/expr/random_expression.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/expr/print.hpp"

namespace vinculum::expr {
namespace {

struct ReadableTest : testing::Test {
  Graph g;
  Expr m = g.symbol("m"), a = g.symbol("a"), b = g.symbol("b"), q = g.symbol("q"), p = g.symbol("p");
  std::string shown(Expr e) { return to_text(readable(std::vector{e})[0]); }
};

TEST_F(ReadableTest, FoldsSinesAndCosines) {
  EXPECT_EQ(shown(a * square(sine(q)) + a * square(cosine(q))), "a");
  EXPECT_EQ(shown(a * b * square(sine(q)) + 2.0 * q + a * b * square(cosine(q))), "a*b + 2*q");
  EXPECT_EQ(shown(1.0 - square(sine(q))), "cos(q)^2");
  EXPECT_EQ(shown(a * square(cosine(q)) - a), "-a*sin(q)^2");
  EXPECT_EQ(shown(m * square(a * sine(q)) + m * square(a * cosine(q)) + m * square(a)), "2*m*a^2");
  EXPECT_EQ(shown(square(a * cosine(q) * sine(p)) + square(a * sine(q) * sine(p)) + square(a * cosine(p))), "a^2");
  // nothing simplifies, because the angles differ
  EXPECT_EQ(shown(square(sine(q)) - square(cosine(p))), "sin(q)^2 - cos(p)^2");
}

TEST_F(ReadableTest, CollectsLikeTermsAndTakesOutFactors) {
  EXPECT_EQ(shown(a * q + b * q + a * p + b * p), "(a + b)*(q + p)");
  EXPECT_EQ(shown(m * a * q + m * a * q - a * m * q), "m*a*q");
  EXPECT_EQ(shown(m * square(a) * cosine(q) + m * square(a) * cosine(p)), "m*a^2*(cos(q) + cos(p))");
  EXPECT_EQ(shown(a * (q + b) - a * b), "a*q");
  EXPECT_EQ(shown(square(square_root(square(a) + square(b))) * m), "m*(a^2 + b^2)");
  EXPECT_EQ(shown(q / a + p / a), "(q + p)/a");
  EXPECT_EQ(shown((a + b) * (m / (a + b))), "m");
}

TEST_F(ReadableTest, LeavesAloneWhatIsShortest) {
  for (const Expr e :
       {m * (a + b), square(a + b), a / (b + q), sine(q + p), select(less(a, b), q, p), g.constant(0.5), -a}) {
    EXPECT_EQ(shown(e), to_text(e));
  }
  EXPECT_EQ(shown(power(a + b, 30.0) * power(q + p, 30.0)), "(a + b)^30*(q + p)^30");
}

TEST(Readable, KeepsTheValueAtRandomStates) {
  int shorter = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Graph graph;
    RandomExpressions random(graph, seed, 4, RandomExpressions::Kind::kSmooth);
    std::vector<Expr> roots;
    for (int i = 0; i < 60; ++i) roots.push_back(random.next());
    const std::vector<Expr> written = readable(roots);
    for (int state = 0; state < 5; ++state) {
      const std::vector<double> values = random.values();
      const auto before = interpret(roots, random.symbols(), values);
      const auto after = interpret(written, random.symbols(), values);
      for (std::size_t i = 0; i < roots.size(); ++i) {
        if (!std::isfinite(before[i])) continue;
        // The rounding error of a sum of magnitude s is s ε, and steep functions of the sum amplify it.
        EXPECT_NEAR(after[i], before[i], 1e-9 * (1.0 + std::fabs(before[i]))) << "seed " << seed << "\n"
                                                                              << to_text(roots[i]) << "\n"
                                                                              << to_text(written[i]);
      }
    }
    for (std::size_t i = 0; i < roots.size(); ++i) {
      EXPECT_LE(printed_size(written[i]), printed_size(roots[i]) + printed_size(roots[i]) / 2);
      shorter += printed_size(written[i]) < printed_size(roots[i]) ? 1 : 0;
    }
  }
  EXPECT_GT(shorter, 0);
}

}  // namespace
}  // namespace vinculum::expr
