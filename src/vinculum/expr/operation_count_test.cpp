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
  EXPECT_EQ(operation_count(roots, inputs), 4u);  // sine, product, sum, product
  EXPECT_EQ(operation_count({}, inputs), 0u);
  EXPECT_EQ(operation_count(roots, {}), 0u);
}

}  // namespace
}  // namespace vinculum::expr
