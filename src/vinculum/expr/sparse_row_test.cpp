#include "vinculum/expr/sparse_row.hpp"

#include <gtest/gtest.h>

#include "vinculum/base/contract.hpp"
#include "vinculum/expr/derivative.hpp"

namespace vinculum::expr {
namespace {

class Sparse : public testing::Test {
 protected:
  Graph graph;
  Expr x = graph.symbol("x"), y = graph.symbol("y"), zero = graph.constant(0.0);
};

TEST_F(Sparse, KeepsWhatIsNotZeroInItsPlace) {
  const std::vector<Expr> all{zero, x, zero, y};
  const SparseRow row(all);
  EXPECT_EQ(row.size(), 4u);
  ASSERT_EQ(row.entries().size(), 2u);
  EXPECT_EQ(row.entries()[1].index, 3u);
  EXPECT_EQ(row.dense(), all);
  EXPECT_EQ(row.values(), (std::vector<Expr>{x, y}));
  EXPECT_EQ(row[1], x);
  EXPECT_TRUE(row[2].is_zero());
  EXPECT_THROW((void)row[4], InternalError);
  EXPECT_TRUE(SparseRow().empty());
}

TEST_F(Sparse, SumsStaySortedAndWhatCancelsLeaves) {
  SparseRow row(graph, 5);
  row.add(3, x);
  row.add(0, y);
  row.add(3, x);
  row.add(1, zero);
  EXPECT_EQ(row.dense(), (std::vector<Expr>{y, zero, zero, x + x, zero}));
  row.add(3, -2.0 * x);
  EXPECT_EQ(row.entries().size(), 1u);
  row.set(0, x);
  EXPECT_EQ(row[0], x);
  row.set(0, zero);
  EXPECT_TRUE(row.entries().empty());
}

TEST_F(Sparse, IsAMultipleByItsForm) {
  const SparseRow row(std::vector{x, zero, 2.0 * y}), thrice(std::vector{3.0 * x, zero, 6.0 * y});
  EXPECT_TRUE(thrice.is_multiple(row, 3.0));
  EXPECT_FALSE(thrice.is_multiple(row, 2.0));
  EXPECT_FALSE(thrice.is_multiple(SparseRow(std::vector{x, y, 2.0 * y}), 3.0));
}

TEST_F(Sparse, GradientHasTheEntriesOfTheDenseOne) {
  const Expr z = graph.symbol("z"), f = x * x * square_root(z) + z;
  const std::vector<Expr> symbols{x, y, z};
  EXPECT_EQ(sparse_gradient(f, symbols).dense(), gradient(f, symbols));
  EXPECT_EQ(sparse_gradient(f, symbols).entries().size(), 2u);
}

}  // namespace
}  // namespace vinculum::expr
