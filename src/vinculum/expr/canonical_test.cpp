#include "vinculum/expr/canonical.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/expr/random_expression.hpp"
#include "vinculum/expr/interpreter.hpp"

namespace vinculum::expr {
namespace {

// An expression, the value of its operations in the order in which they were written, and a bound of the rounding
// error.
struct Written {
  Expr e;
  double value, error;
};

constexpr double kRounding = 2.3e-16;

class Writer {
 public:
  Writer(Graph& graph, std::uint64_t seed) : graph_(graph), random_(seed) {
    for (int i = 0; i < 3; ++i) {
      const double value = std::uniform_real_distribution<double>(0.3, 1.2)(random_);
      symbols.push_back(graph.symbol(std::string(1, static_cast<char>('a' + i))));
      values.push_back(value);
      pool_.push_back({symbols.back(), value, 0.0});
    }
  }

  Written next() {
    const Written a = pick(), b = pick();
    Written made = apply(a, b);
    made.error += kRounding * std::fabs(made.value);
    pool_.push_back(made);
    return made;
  }

  std::vector<Expr> symbols;
  std::vector<double> values;

 private:
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  Written pick() {
    const int n = static_cast<int>(pool_.size());
    return pool_[static_cast<std::size_t>(n - 1 - below(std::min(n, 8)))];
  }

  Written apply(const Written& a, const Written& b) {
    const double c = (below(13) - 6) * 0.75;
    switch (below(13)) {
      case 0: return {a.e + b.e, a.value + b.value, a.error + b.error};
      case 1: return {a.e - b.e, a.value - b.value, a.error + b.error};
      case 2: return {-a.e, -a.value, a.error};
      case 3:
      case 4: return {a.e * b.e, a.value * b.value, std::fabs(a.value) * b.error + std::fabs(b.value) * a.error};
      case 5: return {c * a.e, c * a.value, std::fabs(c) * a.error};
      case 6: return {a.e + c, a.value + c, a.error};
      case 7: return {c - a.e, c - a.value, a.error};
      case 8: return {sine(a.e), std::sin(a.value), a.error};
      case 9: return {cosine(a.e), std::cos(a.value), a.error};
      case 10: {
        const double d = 3.0 + std::sin(b.value), q = a.value / d;
        return {a.e / (3.0 + sine(b.e)), q, a.error / 2.0 + std::fabs(q) * (b.error + 4.0 * kRounding)};
      }
      case 11: return {a.e / 3.0, a.value / 3.0, a.error};
      default: {
        const double bounded = std::sin(a.value);
        const int n = 2 + below(3);
        return {power(sine(a.e), n), std::pow(bounded, n), n * (a.error + kRounding)};
      }
    }
  }

  Graph& graph_;
  std::mt19937_64 random_;
  std::vector<Written> pool_;
};

TEST(CanonicalForm, ChangesNoValueByMoreThanRounding) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Graph g;
    Writer writer(g, seed);
    for (int k = 0; k < 40; ++k) {
      const Written w = writer.next();
      if (!(std::fabs(w.value) < 1e6)) break;
      const double canonical = interpret(std::span(&w.e, 1), writer.symbols, writer.values)[0];
      // Both values differ from the exact value by at most the bound; each collected constant may add one rounding
      // error.
      ASSERT_NEAR(canonical, w.value, 4.0 * w.error + 1e-15) << k;
    }
  }
}

void expect_stable(Graph& g) {
  const std::size_t size = g.size();
  for (std::size_t i = 0; i < size; ++i) {
    const Graph::Node node = g.node(NodeId(i));
    if (operation_info(node.op).arity == 0 || node.op == Op::kTable) continue;
    const auto operand = [&](int j) { return node.operands[j].is_valid() ? Expr(&g, node.operands[j]) : Expr(); };
    EXPECT_EQ(g.make(node.op, operand(0), operand(1), operand(2)).node(), NodeId(i));
  }
  EXPECT_EQ(g.size(), size);
}

TEST(CanonicalForm, IsLeftAloneByMakingItAgain) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Graph written, any;
    Writer writer(written, seed);
    RandomExpressions random(any, seed, 4, RandomExpressions::Kind::kAny);
    for (int k = 0; k < 60; ++k) {
      writer.next();
      random.next();
    }
    expect_stable(written);
    expect_stable(any);
  }
}

TEST(HasMinus, SeesSignsThatASumCanAbsorb) {
  Graph g;
  const Expr x = g.symbol("x"), y = g.symbol("y");
  for (const Expr& e : {-x, -2.0 * x, -1.0 / x, g.constant(-3.0), -(x * y)}) EXPECT_TRUE(has_minus(e));
  for (const Expr& e : {x, 2.0 * x, x - y, g.constant(3.0), x * y, 1.0 / x}) EXPECT_FALSE(has_minus(e));
}

}  // namespace
}  // namespace vinculum::expr
