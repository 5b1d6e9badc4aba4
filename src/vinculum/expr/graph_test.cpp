#include "vinculum/expr/graph.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <limits>
#include <string>

#include "vinculum/base/memory_left.hpp"

namespace vinculum::expr {
namespace {

struct GraphTest : testing::Test {
  Graph g;
  Expr x = g.symbol("x"), y = g.symbol("y"), z = g.symbol("z");
  Expr c(double value) { return g.constant(value); }
};

TEST_F(GraphTest, GivesOneNodeToEqualExpressions) {
  EXPECT_EQ(x + y, y + x);
  EXPECT_EQ(x * y, y * x);
  EXPECT_EQ(sine(x * y + 1.0), sine(1.0 + y * x));
  EXPECT_FALSE(x - y == y - x);
  EXPECT_EQ(g.symbol("x"), x);
}

TEST_F(GraphTest, MakesNoNewNodeForWhatItKnows) {
  const Expr e = sine(x * y) / z;
  const std::size_t size = g.size();
  EXPECT_EQ(sine(y * x) / z, e);
  EXPECT_EQ(g.size(), size);
}

TEST_F(GraphTest, PutsOperandsBeforeTheirUsers) {
  const Expr e = power(sine(x) + y, 3.0) / (z - 2.0);
  for (std::size_t i = 0; i <= e.node().index(); ++i) {
    for (const NodeId operand : g.node(NodeId(i)).operands) {
      EXPECT_TRUE(!operand.is_valid() || operand.index() < i);
    }
  }
}

TEST_F(GraphTest, DropsZeroAndOne) {
  EXPECT_EQ(x + 0.0, x);
  EXPECT_EQ(x - 0.0, x);
  EXPECT_EQ(0.0 - x, -x);
  EXPECT_EQ(x * 1.0, x);
  EXPECT_EQ(x * -1.0, -x);
  EXPECT_TRUE((x * 0.0).is_zero());
  EXPECT_EQ(x / 1.0, x);
  EXPECT_EQ(power(x, 0.0), c(1.0));
  EXPECT_EQ(power(x, 1.0), x);
}

TEST_F(GraphTest, FoldsConstantsToFiniteValuesOnly) {
  EXPECT_EQ((c(2.0) * 3.0 + 1.0).value(), 7.0);
  EXPECT_EQ(sine(c(0.5)).value(), evaluate_operation(Op::kSine, 0.5));
  EXPECT_FALSE((c(1.0) / 0.0).is_constant());
  EXPECT_FALSE((c(0.0) / 0.0).is_constant());
  EXPECT_FALSE(square_root(c(-1.0)).is_constant());
  EXPECT_EQ(c(-0.0), c(0.0));
}

TEST_F(GraphTest, CollectsLikeTerms) {
  EXPECT_TRUE((x - x).is_zero());
  EXPECT_EQ(x + x, 2.0 * x);
  EXPECT_EQ(2.0 * x + 3.0 * x, 5.0 * x);
  EXPECT_EQ(2.0 * x - 3.0 * x, -x);
  EXPECT_EQ((x + y) - y, x);
  EXPECT_EQ((x + y) - x, y);
  EXPECT_EQ((x - y) + y, x);
  EXPECT_EQ(x - (x + y), -y);
  EXPECT_EQ(x - (x - y), y);
  EXPECT_EQ((x - y) - x, -y);
  EXPECT_EQ(sine(x) * sine(x) + cosine(x) * cosine(x), c(1.0));
  EXPECT_EQ(3.0 * square(cosine(x)) + 3.0 * square(sine(x)), c(3.0));
}

TEST_F(GraphTest, CollectsLikeTermsWhateverTheOrderOfTheirFactors) {
  const Expr s = sine(z), k = cosine(z);
  EXPECT_TRUE(((x * y) * z - x * (y * z)).is_zero());
  EXPECT_EQ((x * y) * z + 2.0 * (x * (z * y)), 3.0 * ((x * y) * z));
  EXPECT_EQ((x * s) * s + k * (k * x), x);
  EXPECT_EQ((3.0 * x * y) * square(k) + 3.0 * (s * y) * (s * x), 3.0 * (x * y));
  EXPECT_EQ((x + square(s)) + square(k), x + 1.0);
  EXPECT_EQ(square(s) + (y + square(k)), y + 1.0);
  EXPECT_EQ((y - x * square(s)) - x * square(k), y - x);
  EXPECT_EQ(((x * y) * z + y) - z * (y * x), y);
  EXPECT_NE(square(sine(x)) + square(k), c(1.0));
  EXPECT_NE(square(s) - square(k), c(1.0));
}

TEST_F(GraphTest, CollectsConstants) {
  EXPECT_EQ((2.0 * x) * 3.0, 6.0 * x);
  EXPECT_EQ((2.0 * x) * (3.0 * y), 6.0 * (x * y));
  EXPECT_EQ((x + 1.0) + 2.0, x + 3.0);
  EXPECT_EQ((x + 1.0) - (y - 2.0), (x - y) + 3.0);
  EXPECT_EQ((5.0 - x) - 7.0, -2.0 - x);
  EXPECT_EQ((2.0 * x) / (4.0 * y), 0.5 * (x / y));
  EXPECT_EQ(6.0 / (2.0 * x), 3.0 / x);
  EXPECT_EQ((5.0 * x) / 3.0, (5.0 / 3.0) * x);
  EXPECT_EQ(x / 4.0, 0.25 * x);
}

TEST_F(GraphTest, PullsSignsOut) {
  EXPECT_EQ(-(-x), x);
  EXPECT_EQ((-x) * y, -(x * y));
  EXPECT_EQ((-x) * (-y), x * y);
  EXPECT_EQ((-x) / (-y), x / y);
  EXPECT_EQ(x + (-y), x - y);
  EXPECT_EQ(x - (-y), x + y);
  EXPECT_EQ((-x) - y, -(x + y));
  EXPECT_EQ(-(x - y), y - x);
  EXPECT_EQ(x + (-2.0 * y), x - 2.0 * y);
}

TEST_F(GraphTest, KnowsEvenAndOddFunctions) {
  EXPECT_EQ(sine(-x), -sine(x));
  EXPECT_EQ(cosine(-x), cosine(x));
  EXPECT_EQ(cosine(y - x), cosine(x - y));
  EXPECT_EQ(sine(y - x), -sine(x - y));
  EXPECT_EQ(absolute(-2.0 * x), absolute(2.0 * x));
  EXPECT_EQ(absolute(absolute(x)), absolute(x));
  EXPECT_EQ(power(-x, 3.0), -power(x, 3.0));
  EXPECT_EQ(power(-x, 4.0), power(x, 4.0));
}

TEST_F(GraphTest, JoinsWholePowersOnly) {
  EXPECT_EQ(power(x, 2.0), x * x);
  EXPECT_EQ(x * (x * x), power(x, 3.0));
  EXPECT_EQ((x * x) * power(x, 3.0), power(x, 5.0));
  EXPECT_EQ(power(power(x, 3.0), 2.0), power(x, 3.0) * power(x, 3.0));
  EXPECT_EQ(power(power(x, 2.0), 3.0), power(x, 6.0));
  EXPECT_EQ(power(x, 0.5), square_root(x));
  EXPECT_EQ(power(x, -1.0), 1.0 / x);
  const Expr root = square_root(x);
  EXPECT_EQ(g.node(root * root).op, Op::kMultiply);  // remains a product, because for x < 0 it is undefined
  EXPECT_EQ(g.node(power(power(x, 0.3), 2.5)).op, Op::kPower);
}

TEST_F(GraphTest, NeverRemovesADivisionThatMayFail) {
  EXPECT_EQ(g.node(x / x).op, Op::kDivide);
  EXPECT_EQ(g.node((x * y) / y).op, Op::kDivide);
  EXPECT_EQ(g.node((x / y) * y).op, Op::kMultiply);
  EXPECT_EQ(g.node(0.0 / x).op, Op::kDivide);
}

TEST_F(GraphTest, FoldsSelections) {
  EXPECT_EQ(select(less(x, y), z, z), z);
  EXPECT_EQ(select(c(1.0), x, y), x);
  EXPECT_EQ(select(c(0.0), x, y), y);
  EXPECT_EQ(select(g.make(Op::kNot, less(x, y)), x, y), select(less(x, y), y, x));
  EXPECT_EQ(minimum(x, x), x);
  EXPECT_TRUE(g.make(Op::kAnd, less(x, y), c(0.0)).is_zero());
  EXPECT_EQ(g.make(Op::kOr, less(x, y), c(0.0)), less(x, y));
}

TEST_F(GraphTest, HasNoFourthDerivativeOfATable) {
  const TableId table = g.add_table(std::make_shared<Spline>("t.csv", std::vector{0.0, 1.0}, std::vector{0.0, 2.0}));
  EXPECT_TRUE(g.table(table, 4, x).is_zero());
  EXPECT_EQ(g.table(table, 0, c(0.5)).value(), 1.0);
  // a value outside the table remains a node, so that a failure can name it
  EXPECT_FALSE(g.table(table, 0, c(2.0)).is_constant());
}

TEST(GraphBeyondMemory, SaysSoBeforeMemoryEnds) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take terabytes of addresses";
#endif
  if (memory_left() == std::numeric_limits<std::size_t>::max()) GTEST_SKIP() << "the system does not tell";
  const pid_t child = ::fork();
  if (child == 0) {
    std::ifstream file("/proc/self/statm");
    std::size_t pages = 0;
    file >> pages;
    const std::size_t allowed = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + (std::size_t{400} << 20);
    const rlimit limit{allowed, allowed};
    int status = ::setrlimit(RLIMIT_AS, &limit) == 0 ? 1 : 2;
    try {
      Graph graph;
      Expr x = graph.symbol("x");
      while (graph.size() < 100'000'000) x = sine(x);
    } catch (const TooLarge& error) {
      status = std::string(error.what()).find("million operations") != std::string::npos ? 0 : 3;
    } catch (const std::bad_alloc&) {
      status = 4;
    }
    ::_exit(status);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace vinculum::expr
