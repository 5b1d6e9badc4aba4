#include "vinculum/expr/taylor.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/interpreter.hpp"

namespace vinculum::expr {
namespace {

// Taylor coefficients times factorials equal symbolic derivatives; x and y are rational functions of s.
TEST(Taylor, AgreesWithDerivativesWrittenOut) {
  Graph graph;
  const Expr s = graph.symbol("s"), x = 0.3 + s * s / (2.0 + s), y = 0.4 - 0.7 * s + s * s * s;
  const auto make = [&](Op op, Expr a) { return graph.make(op, a); };
  const TableId table = graph.add_table(std::make_shared<Spline>("bend", std::vector<double>{-1.0, 0.0, 1.0, 2.0},
                                                                 std::vector<double>{0.3, -0.2, 0.5, 1.0}));
  const std::vector<Expr> functions{
      x * y,
      x / y,
      square_root(x),
      make(Op::kExponential, x * y),
      make(Op::kLogarithm, y),
      sine(y),
      cosine(x),
      make(Op::kTangent, y),
      make(Op::kArcSine, x),
      make(Op::kArcCosine, y),
      make(Op::kArcTangent, y / x),
      graph.make(Op::kArcTangent2, y, x - 0.8),
      make(Op::kHyperbolicSine, y),
      make(Op::kHyperbolicCosine, x),
      make(Op::kHyperbolicTangent, y),
      absolute(x - 1.0),
      minimum(x, y),
      maximum(x, y),
      select(less(x, y), sine(x), cosine(y)),
      power(x, 3.0),
      power(x, -2.0),
      power(x, 1.5),
      power(x, 0.37),
      power(x, y),
      make(Op::kSign, x),
      make(Op::kFloor, y),
      graph.table(table, 0, y),
      graph.table(table, 1, x),
  };
  constexpr int kHighest = 5;
  TaylorSeries series(functions, {s}, kHighest);
  for (const double at : {0.0, 0.21}) {
    std::vector<Expr> derivatives = functions;
    double factorial = 1.0;
    for (int k = 0; k <= kHighest; ++k) {
      series.set(0, k, k == 0 ? at : k == 1 ? 1.0 : 0.0);
      series.compute(k);
      factorial *= k > 1 ? k : 1;
      const std::vector<double> values = interpret(derivatives, {{s}}, {{at}});
      for (std::size_t i = 0; i < functions.size(); ++i) {
        EXPECT_NEAR(series(i, k) * factorial, values[i], 1e-11 * std::max(1.0, std::abs(values[i])))
            << "function " << i << ", order " << k << ", s = " << at;
      }
      for (Expr& f : derivatives) f = derivative(f, s);
    }
  }
}

TEST(Taylor, WholePowersAreSeriesAtZeroToo) {
  Graph graph;
  const Expr x = graph.symbol("x");
  TaylorSeries series({power(x, 3.0), power(x, 2.0)}, {x}, 4);
  const double along[] = {0.0, 2.0, 1.0, 0.0, 0.0};
  const double cube[] = {0.0, 0.0, 0.0, 8.0, 12.0}, square[] = {0.0, 0.0, 4.0, 4.0, 1.0};
  for (int k = 0; k <= 4; ++k) {
    series.set(0, k, along[k]);
    series.compute(k);
    EXPECT_DOUBLE_EQ(series(0, k), cube[k]);
    EXPECT_DOUBLE_EQ(series(1, k), square[k]);
  }
}

TEST(Taylor, AnOrderMayBeComputedAgain) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y");
  TaylorSeries series({sine(x) * y}, {x, y}, 2);
  series.set(0, 0, 0.5);
  series.set(1, 0, 2.0);
  series.compute(0);
  series.compute(1);
  EXPECT_EQ(series(0, 1), 0.0);
  series.set(1, 1, 3.0);
  series.compute(1);
  EXPECT_DOUBLE_EQ(series(0, 1), 3.0 * std::sin(0.5));
}

TEST(Taylor, ASymbolWithoutASeriesIsAMistakeOfTheProgram) {
  Graph graph;
  EXPECT_ANY_THROW(TaylorSeries({graph.symbol("x") * graph.symbol("y")}, {graph.symbol("x")}, 1));
}

}  // namespace
}  // namespace vinculum::expr
