#include "vinculum/expr/operation_count.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace vinculum::expr {
namespace {

TEST(OperationCount, CountsWhatDependsOnInputsOnceAndNothingElse) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y"), p = graph.symbol("p");
  const std::vector<Expr> inputs{x, y};
  const Expr shared = sine(x) * y, of_parameters = p * p + 1.0;
  const std::vector<Expr> roots{shared + of_parameters, shared * of_parameters, p + 2.0, x};
  // the sine, its product with y, the sum, the product of the second root
  EXPECT_EQ(operation_count(roots, inputs), 4u);
  EXPECT_EQ(operation_count({}, inputs), 0u);
  EXPECT_EQ(operation_count(roots, {}), 0u);
}

TEST(OperationCount, IsTheSameInAllUnitsWithoutMultiplesByConstants) {
  for (const double mass : {1.0, 0x1p-20, -3.0}) {
    Graph graph;
    const Expr x = graph.symbol("x"), y = graph.symbol("y");
    const std::vector<Expr> inputs{x, y};
    const std::vector<Expr> roots{sine(x) * y * mass + y / mass, mass / x};
    // sine, product with y, sum, quotient 1/x; multiples by constants are not counted
    EXPECT_EQ(operation_count(roots, inputs, Multiples::kVarying), 4u) << mass;
  }
}

}  // namespace
}  // namespace vinculum::expr
