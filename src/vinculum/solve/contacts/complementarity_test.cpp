#include "vinculum/solve/contacts/complementarity.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>
#include <vector>

#include "support/solve/impacts.hpp"

namespace vinculum::solve {
namespace {

/// w of the solution, by trying all sets of positive x; empty if there is none.
Vector by_all_sets(const Matrix& G, const Vector& b) {
  for (unsigned set = 0; set < 1U << b.size(); ++set) {
    std::vector<Eigen::Index> at;
    for (Eigen::Index i = 0; i < b.size(); ++i)
      if (((set >> i) & 1U) != 0) at.push_back(i);
    Vector x = Vector::Zero(b.size());
    if (!at.empty()) {
      const Eigen::FullPivLU<Matrix> lu(Matrix(G(at, at)));
      if (lu.rcond() < 1e-10) continue;
      x(at) = lu.solve(Vector(-b(at)));
    }
    const Vector w = G * x + b;
    if (x.minCoeff() >= -1e-9 && w.minCoeff() >= -1e-9) return w;
  }
  return {};
}

TEST(Complementarity, AgreesWithAllSetsOnRandomProblems) {
  Random random(11);
  int none = 0, shared = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const Eigen::Index n = 1 + trial % 8, rank = 1 + trial / 8 % 8;
    Matrix J = random_entries(random, n, rank);
    if (trial % 3 == 0 && n > 1) J.row(n - 1) = J.row(0);
    const Matrix G = J * J.transpose();
    // In every fourth problem b is not in the range of G, so that there may be no solution.
    const Vector b =
        trial % 4 == 0 ? Vector(random_entries(random, n, 1)) : Vector(J * random_entries(random, rank, 1));
    const auto found = solve_complementarity(G, b, Vector::Ones(n));
    const Vector expected = by_all_sets(G, b);
    ASSERT_EQ(found.has_value(), expected.size() > 0) << trial;
    if (!found) {
      ++none;
      continue;
    }
    EXPECT_LT((found->w - expected).norm(), 1e-8 * (1.0 + expected.norm())) << trial;
    EXPECT_LT((G * found->x + b - found->w).norm(), 1e-12) << trial;
    EXPECT_GE(found->x.minCoeff(), 0.0);
    EXPECT_GE(found->w.minCoeff(), -1e-9 * (1.0 + found->x.maxCoeff()));
    EXPECT_LT(std::abs(found->x.dot(found->w)), 1e-9 * (1.0 + found->x.squaredNorm()));
    shared += found->is_unique ? 0 : 1;
  }
  EXPECT_GT(none, 20);
  EXPECT_GT(shared, 100);
}

TEST(Complementarity, SharesWhatIsNotUniqueInProportion) {
  const Matrix G = Matrix::Ones(3, 3);
  const Vector b = Vector::Constant(3, -6.0);
  const auto equal = solve_complementarity(G, b, Vector::Ones(3));
  ASSERT_TRUE(equal.has_value());
  EXPECT_FALSE(equal->is_unique);
  EXPECT_LT((equal->x - Vector::Constant(3, 2.0)).norm(), 1e-12);
  const auto unequal = solve_complementarity(G, b, Vector{{1.0, 2.0, 3.0}});
  ASSERT_TRUE(unequal.has_value());
  EXPECT_LT((unequal->x - Vector{{1.0, 2.0, 3.0}}).norm(), 1e-12);
}

TEST(Complementarity, KnowsThatOnlyOneShareIsPossible) {
  // Opposite columns: x + (t, t) has the same effect. At x = 0 with b > 0 no force acts.
  const Matrix G{{1.0, -1.0}, {-1.0, 1.0}};
  const auto open = solve_complementarity(G, Vector{{0.5, -0.5}}, Vector::Ones(2));
  ASSERT_TRUE(open.has_value());
  EXPECT_FALSE(open->is_unique);  // w = 0 on both: any equal addition is possible
  const auto pressed = solve_complementarity(G, Vector{{-1.0, -1.0}}, Vector::Ones(2));
  EXPECT_FALSE(pressed.has_value());
  // Three columns of rank 2 with 2 x_0 = x_1 + x_2 and only w_0 = w_1 = 0: the direction needs x_2 < 0.
  const Matrix J{{1.0, 0.0}, {0.0, 1.0}, {1.0, 1.0}};
  const auto corner = solve_complementarity(J * J.transpose(), J * Vector{{-1.0, 0.0}}, Vector::Ones(3));
  ASSERT_TRUE(corner.has_value());
  EXPECT_TRUE(corner->is_unique);
  EXPECT_LT((corner->x - Vector{{1.0, 0.0, 0.0}}).norm(), 1e-12);
}

TEST(Complementarity, OfAnyMatrixIsSolvedByLemkesMethod) {
  Random random(13);
  int solved = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Eigen::Index n = 1 + trial % 8;
    const Matrix L = random_entries(random, n, n), S = random_entries(random, n, n);
    const Matrix M = L * L.transpose() + S - S.transpose();  // positive definite, not symmetric
    const Vector q = random_entries(random, n, 1);
    const auto z = solve_by_lemke(M, q);
    ASSERT_TRUE(z.has_value()) << trial;
    const Vector w = M * *z + q;
    EXPECT_GE(z->minCoeff(), -1e-10);
    EXPECT_GE(w.minCoeff(), -1e-8 * (1.0 + z->norm())) << trial;
    EXPECT_LT(w.cwiseProduct(*z).cwiseAbs().maxCoeff(), 1e-7 * (1.0 + z->squaredNorm())) << trial;
    solved += q.minCoeff() < 0.0 ? 1 : 0;
  }
  EXPECT_GT(solved, 1000);
  EXPECT_FALSE(solve_by_lemke(Matrix{{-1.0}}, Vector{{-1.0}}).has_value());
}

TEST(Complementarity, SolvesManyRedundantRows) {
  Random random(12);
  for (const Eigen::Index n : {40, 80}) {
    const Matrix J = random_entries(random, n, n / 2);
    const Matrix G = J * J.transpose() / static_cast<double>(n);
    const Vector b = J * random_entries(random, n / 2, 1) / std::sqrt(static_cast<double>(n));
    const auto found = solve_complementarity(G, b, Vector::Ones(n));
    ASSERT_TRUE(found.has_value());
    EXPECT_GE(found->x.minCoeff(), 0.0);
    EXPECT_GE(found->w.minCoeff(), -1e-10);
    EXPECT_LT(found->x.cwiseProduct(found->w).cwiseAbs().maxCoeff(), 1e-10);
  }
}

}  // namespace
}  // namespace vinculum::solve
