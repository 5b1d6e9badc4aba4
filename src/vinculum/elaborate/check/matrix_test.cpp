#include "vinculum/elaborate/check/matrix.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "vinculum/model/builder.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/evaluate.hpp"

// Every result is compared with the result of Eigen.
namespace vinculum::elaborate {
namespace {

using model::Term;

/// A model with one coordinate per entry, so that every entry is a variable with a rate.
struct Variables {
  explicit Variables(int count, unsigned seed) : builder("m") {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> draw(-2.0, 2.0);
    for (int i = 0; i < count; ++i) {
      q.push_back(builder.q(builder.add_coordinate("q" + std::to_string(i))));
      at.q.push_back(draw(generator));
      at.q_dot.push_back(draw(generator));
      at.q_ddot.push_back(draw(generator));
    }
  }
  TermMatrix matrix(int rows, int columns, int first = 0) {
    TermMatrix result{rows, columns, {}};
    for (int i = 0; i < rows * columns; ++i) result.entries.push_back(q[static_cast<std::size_t>(first + i)]);
    return result;
  }
  Eigen::MatrixXd value(const TermMatrix& matrix, int order = 0) {
    model::TermValues values(builder.model(), at);
    Eigen::MatrixXd result(matrix.rows, matrix.columns);
    for (int i = 0; i < matrix.rows; ++i) {
      for (int j = 0; j < matrix.columns; ++j) {
        const model::Jet jet = values.scalar(matrix.at(i, j));
        result(i, j) = order == 0 ? jet.value : jet.rate;
      }
    }
    return result;
  }
  model::ModelBuilder builder;
  std::vector<Term> q;
  model::Instant at;
};

Eigen::MatrixXd pinv(const Eigen::MatrixXd& a) { return a.completeOrthogonalDecomposition().pseudoInverse(); }

TEST(PseudoInverse, IsThatOfEigenForEveryShape) {
  for (int rows = 1; rows <= 5; ++rows) {
    for (int columns = 1; columns <= 5; ++columns) {
      Variables of(rows * columns, static_cast<unsigned>(10 * rows + columns));
      const TermMatrix a = of.matrix(rows, columns);
      const auto inverse = pseudo_inverse(a);
      ASSERT_TRUE(inverse);
      const Eigen::MatrixXd wanted = pinv(of.value(a));
      EXPECT_LT((of.value(*inverse) - wanted).norm(), 1e-11 * wanted.norm()) << rows << "x" << columns;
    }
  }
}

TEST(PseudoInverse, HasTheExactRate) {
  // d(A⁺)/dt by central differences of Eigen's result, compared with the derivative of the terms.
  for (const auto& [rows, columns] : {std::pair{2, 3}, {3, 2}, {3, 3}}) {
    Variables of(rows * columns, 77);
    const TermMatrix a = of.matrix(rows, columns);
    const TermMatrix inverse = *pseudo_inverse(a);
    TermMatrix rate = inverse;
    for (Term& entry : rate.entries) entry = model::time_derivative(of.builder.model(), entry);
    const Eigen::MatrixXd A = of.value(a), A_dot = of.value(a, 1);
    const double h = 1e-5;
    const Eigen::MatrixXd wanted = (pinv(A + h * A_dot) - pinv(A - h * A_dot)) / (2.0 * h);
    EXPECT_LT((of.value(rate) - wanted).norm(), 1e-7 * wanted.norm());
  }
}

TEST(OrthogonalFactors, AreOrthogonalToRoundingEvenForNearlyDependentColumns) {
  Variables of(8, 5);
  TermMatrix a = of.matrix(4, 2);
  for (int i = 0; i < 4; ++i) a.at(i, 1) = a.at(i, 0) + 1e-9 * a.at(i, 1);  // condition 1e9
  const auto factors = orthogonal_factors(a);
  ASSERT_TRUE(factors);
  const Eigen::MatrixXd Q = of.value(factors->q), R = of.value(factors->r), A = of.value(a);
  EXPECT_LT((Q.transpose() * Q - Eigen::MatrixXd::Identity(2, 2)).norm(), 1e-15 * 10);
  EXPECT_LT((Q * R - A).norm(), 1e-15 * 10 * A.norm());
}

TEST(Solve, IsThatOfEigen) {
  for (int n = 1; n <= 6; ++n) {
    Variables of(n * n + 2 * n, static_cast<unsigned>(n));
    const TermMatrix a = of.matrix(n, n), b = of.matrix(n, 2, n * n);
    const auto x = solve(a, b);
    ASSERT_TRUE(x);
    const Eigen::MatrixXd wanted = of.value(a).fullPivLu().solve(of.value(b));
    EXPECT_LT((of.value(*x) - wanted).norm(), 1e-10 * wanted.norm()) << n;
  }
}

TEST(Product, IsThatOfEigen) {
  Variables of(2 * 3 + 3 * 4, 3);
  const TermMatrix a = of.matrix(2, 3), b = of.matrix(3, 4, 6);
  EXPECT_LT((of.value(product(a, b)) - of.value(a) * of.value(b)).norm(), 1e-14);
  EXPECT_EQ(of.value(transpose(a)), of.value(a).transpose());
}

TEST(Zeros, StayZeroByStructure) {
  Variables of(3, 9);
  const Term zero = of.builder.number(0.0);
  const TermMatrix a{3, 3, {zero, of.q[0], zero, of.q[1], zero, zero, zero, zero, of.q[2]}};
  const auto inverse = pseudo_inverse(a);
  ASSERT_TRUE(inverse);
  int zeros = 0;
  for (const Term entry : inverse->entries) zeros += entry.is_zero() ? 1 : 0;
  EXPECT_EQ(zeros, 6);
  EXPECT_LT((of.value(*inverse) - of.value(a).inverse()).norm(), 1e-14);
}

TEST(Rank, IsSeenByStructureAndByNumbers) {
  Variables of(4, 1);
  const Term zero = of.builder.number(0.0);
  const TermMatrix two_rows_of_one{3, 3, {of.q[0], of.q[1], of.q[2], of.q[3], zero, zero, of.q[1], zero, zero}};
  EXPECT_EQ(structural_rank(two_rows_of_one), 2);
  EXPECT_FALSE(pseudo_inverse(two_rows_of_one));
  EXPECT_FALSE(solve(two_rows_of_one, two_rows_of_one));
  EXPECT_EQ(structural_rank(of.matrix(2, 2)), 2);
  EXPECT_EQ(numerical_rank(2, 2, {1.0, 2.0, 2.0, 4.0}), 1);
  EXPECT_EQ(numerical_rank(2, 2, {1.0, 2.0, 2.0, 4.000001}), 2);
  EXPECT_EQ(numerical_rank(2, 2, {1e-9, 0.0, 0.0, 1e9}), 2);  // units do not matter
  EXPECT_EQ(numerical_rank(2, 3, {1.0, 2.0, 3.0, 2.0, 4.0, 6.0}), 1);
}

TEST(Scaling, IsThatOfAJacobianOfTranslationsAndRotations) {
  const Dimension length = make_dimension(0, 1, 0), none;
  // (position, angle) as functions of (length, angle): 1, m; 1/m, 1
  const auto found = find_scaling(2, 2, {none, length, none / length, none}, {false, false, false, false});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rows[0] / found->columns[1], length);
  EXPECT_EQ(found->rows[1] / found->columns[0], none / length);
  EXPECT_FALSE(find_scaling(2, 2, {none, length, length, none}, {false, false, false, false}));
  EXPECT_TRUE(find_scaling(2, 2, {none, length, length, none}, {true, false, false, false}));
  EXPECT_TRUE(find_scaling(2, 2, {none, length, length, none}, {true, false, false, true}));
}

}  // namespace
}  // namespace vinculum::elaborate
