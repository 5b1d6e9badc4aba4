#include "vinculum/solve/pivoted/directed.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "support/numeric/random_system.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/reaction_laws/laws.hpp"
#include "vinculum/solve/generated/augmented_solve.hpp"

namespace vinculum::solve {
namespace {

/// M u' = f + A_iᵀλ + Γᵀe, A u' = b with random numbers: `ideal` rows of the first constraint, then rows of the second
/// one, a servo constraint.
struct Example {
  equations::System system;
  Matrix M, A, Gamma;
  Vector f, b, scale;
  int ideal = 0;

  Example(unsigned seed, int nu, int ideal_count, int directed_count, int efforts, bool is_via = true)
      : ideal(ideal_count) {
    numeric::RandomEngine random(seed);
    const int nc = ideal_count + directed_count;
    const numeric::RandomSystem numbers = numeric::random_system(random, nu, nc);
    M = numbers.M, A = numbers.A, f = numbers.f, b = numbers.b;
    Gamma = numeric::random_matrix(random, efforts, nu);
    scale = numeric::random_vector(random, efforts).cwiseAbs() + Vector::Constant(efforts, 0.2);
    system.graph = std::make_shared<expr::Graph>();
    fill(is_via);
  }
  void fill(bool is_via) {
    auto model = std::make_shared<model::Model>();
    model->constraints.resize(2);
    model->constraints[1].law = reaction_laws::directed({}, is_via);
    system.model = model;
    expr::Graph& graph = *system.graph;
    const auto constants = [&](const auto& row) {
      std::vector<expr::Expr> all;
      for (Eigen::Index j = 0; j < row.size(); ++j) all.push_back(graph.constant(row[j]));
      return all;
    };
    const auto nu = static_cast<int>(M.rows());
    system.rows.clear();
    system.directed.clear();
    system.M.own().clear();
    system.u.clear();
    system.effort.clear();
    for (int j = 0; j < nu; ++j) {
      system.u.push_back(graph.symbol("u" + std::to_string(j)));
      for (int k = 0; k < nu; ++k) system.M.own().push_back(graph.constant(M(std::max(j, k), std::min(j, k))));
    }
    system.f = constants(f);
    system.C = constants(Vector(Vector::Zero(nu)));
    for (int i = 0; i < A.rows(); ++i) {
      equations::Row row;
      row.constraint = model::ConstraintId(std::size_t{i < ideal ? 0U : 1U});
      row.level = model::Level::kAcceleration;
      row.A = constants(Vector(A.row(i).transpose()));
      row.b = graph.constant(b[i]);
      system.rows.push_back(std::move(row));
    }
    equations::DirectedReaction reaction;
    reaction.constraint = model::ConstraintId(std::size_t{1});
    reaction.first_row = ideal;
    reaction.row_count = static_cast<int>(A.rows()) - ideal;
    for (int k = 0; k < Gamma.rows(); ++k) {
      reaction.Gamma.push_back(constants(Vector(Gamma.row(k).transpose())));
      reaction.scale.push_back(scale[k]);
      system.effort.push_back(graph.symbol("e" + std::to_string(k)));
    }
    system.directed = {reaction};
  }
  [[nodiscard]] Outcome<void> solve(DirectedSolution& solution) const {
    DirectedSolve directed(system);
    solve::ConstrainedSolve pivoted(static_cast<int>(M.rows()), ideal);
    if (auto done = pivoted.factor(M, A.topRows(ideal)); !done) return done;
    if (auto done = directed.factor(pivoted, M, A, Gamma); !done) return done;
    return directed.solve(pivoted, f, b, solution);
  }
  /// Reference: the complete KKT system of min |e/scale|² subject to M u' = f + A_iᵀλ + Γᵀe, A u' = b.
  [[nodiscard]] Vector literal(Vector& effort) const {
    const Eigen::Index nu = M.rows(), nc = A.rows(), na = Gamma.rows(), n = nu + ideal + na, m = nu + nc;
    Matrix K = Matrix::Zero(n + m, n + m);
    for (Eigen::Index k = 0; k < na; ++k) K(nu + ideal + k, nu + ideal + k) = 1.0 / (scale[k] * scale[k]);
    Matrix E(m, n);
    E.setZero();
    E.topLeftCorner(nu, nu) = M.selfadjointView<Eigen::Lower>();
    E.block(0, nu, nu, ideal) = -A.topRows(ideal).transpose();
    E.block(0, nu + ideal, nu, na) = -Gamma.transpose();
    E.bottomLeftCorner(nc, nu) = A;
    K.topRightCorner(n, m) = E.transpose();
    K.bottomLeftCorner(m, n) = E;
    Vector r = Vector::Zero(n + m);
    r.segment(n, nu) = f;
    r.tail(nc) = b;
    const Vector x = K.fullPivLu().solve(r);
    effort = x.segment(nu + ideal, na);
    return x.head(nu);
  }
};

/// Parameter: number of efforts minus number of rows of servo constraints.
class Directed : public testing::TestWithParam<int> {};

TEST_P(Directed, MotionAndEffortsAreThoseOfTheWholeSystemSolvedLiterally) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Example example(seed, 7, 2, 2, 2 + GetParam());
    DirectedSolution solution;
    const auto done = example.solve(solution);
    ASSERT_TRUE(done) << done.error().message;
    Vector effort;
    const Vector u = example.literal(effort);
    EXPECT_LT((solution.u - u).norm(), 1e-9 * (1.0 + u.norm())) << seed;
    EXPECT_LT((solution.effort - effort).norm(), 1e-9 * (1.0 + effort.norm())) << seed;
    const Matrix M = example.M.selfadjointView<Eigen::Lower>();
    EXPECT_LT((M * solution.u - example.f - solution.Q).norm(), 1e-9 * (1.0 + solution.Q.norm()));
    EXPECT_LT((example.A * solution.u - example.b).norm(), 1e-12 * (1.0 + u.norm() * example.A.norm()));
  }
}

TEST_P(Directed, GeneratedCodeGivesTheSameMotion) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Example example(seed, 6, 1, 2, 2 + GetParam());
    solve::StaticStructure structure;
    structure.representative = {0};
    structure.factor = {1.0};
    structure.generic_rank = 1;
    const Acceleration motion = directed_acceleration(example.system, structure, nullptr, 1);
    std::vector<expr::Expr> roots = motion.u_dot;
    roots.push_back(motion.guards.residual);
    roots.push_back(motion.guards.contraction);
    const std::vector<double> values = expr::interpret(roots, {}, {});
    DirectedSolution solution;
    ASSERT_TRUE(example.solve(solution));
    const Vector u = Eigen::Map<const Vector>(values.data(), 6);
    EXPECT_LT((u - solution.u).norm(), 1e-10 * (1.0 + u.norm())) << seed;
    EXPECT_LE(values[6], solve::StaticLdlt::kTolResidual);
    EXPECT_LE(values[7], solve::StaticLdlt::kTolContraction);
  }
}

TEST_P(Directed, AugmentedFormulationGivesTheSameMotionAndEfforts) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Example example(seed, 7, 2, 2, 2 + GetParam());
    DirectedSolution solution;
    ASSERT_TRUE(example.solve(solution));
    solve::AugmentedSolve augmented(7, {0, 0, 1, 1}, example.scale);
    const auto done = augmented.factor(example.M, example.A, example.Gamma, 0.0);
    ASSERT_TRUE(done) << done.error().message;
    solve::AugmentedSolution whole;
    ASSERT_TRUE(augmented.solve(example.f, example.b, whole));
    EXPECT_LT((whole.u - solution.u).norm(), 1e-9 * (1.0 + whole.u.norm())) << seed;
    EXPECT_LT((whole.effort - solution.effort).norm(), 1e-9 * (1.0 + whole.effort.norm())) << seed;
    EXPECT_LT((whole.lambda - solution.lambda).norm(), 1e-9 * (1.0 + whole.lambda.norm())) << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(EffortsBeyondTheRows, Directed, testing::Values(0, 1, 3));

TEST(Directed, EffortsAlongTheGradientsAreTheIdealReaction) {
  Example example(3, 6, 2, 2, 2);
  example.Gamma = example.A.bottomRows(2);
  example.fill(false);
  DirectedSolution solution;
  ASSERT_TRUE(example.solve(solution));
  solve::ConstrainedSolve ideal(6, 4);
  ASSERT_TRUE(ideal.factor(example.M, example.A));
  solve::Solution reaction;
  ASSERT_TRUE(ideal.solve(example.f, example.b, reaction));
  EXPECT_LT((solution.u - reaction.u).norm(), 1e-11 * reaction.u.norm());
  // Under `law directed` the multipliers of the rows are the efforts.
  EXPECT_LT((solution.lambda - reaction.lambda).norm(), 1e-10 * reaction.lambda.norm());
  EXPECT_EQ(solution.lambda.tail(2), solution.effort);
}

TEST(Directed, RowsThatNoEffortReachesAreNamed) {
  Example example(5, 6, 1, 2, 2);
  // Both efforts lie in the span of the ideal row and one other direction, so they cannot enforce two rows.
  example.Gamma.row(0) = example.Gamma.row(1) + 0.5 * example.A.row(0);
  example.fill(true);
  DirectedSolution solution;
  const auto done = example.solve(solution);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, FailureKind::kInconsistent);
  ASSERT_EQ(done.error().rows.size(), 1U);
  EXPECT_GE(done.error().rows.front(), 1);

  solve::AugmentedSolve augmented(6, {0, 1, 1}, example.scale);
  EXPECT_FALSE(augmented.factor(example.M, example.A, example.Gamma, 0.0));

  solve::StaticStructure structure;
  structure.representative = {0};
  structure.factor = {1.0};
  const Acceleration motion = directed_acceleration(example.system, structure, nullptr, 1);
  const std::vector<double> guard = expr::interpret(std::vector<expr::Expr>{motion.guards.contraction}, {}, {});
  EXPECT_FALSE(guard[0] <= solve::StaticLdlt::kTolContraction);
}

TEST(Directed, RowsThatFollowFromOthersAreAllowedAndContradictionsAreNot) {
  Example example(7, 6, 1, 3, 3);
  example.A.row(3) = 2.0 * example.A.row(2);
  example.b[3] = 2.0 * example.b[2];
  example.fill(true);
  DirectedSolution solution;
  ASSERT_TRUE(example.solve(solution));
  EXPECT_LT((example.A * solution.u - example.b).norm(), 1e-11);
  // There are two independent rows for three efforts, so both solvers choose the least efforts.
  solve::AugmentedSolve augmented(6, {0, 1, 1, 1}, example.scale);
  ASSERT_TRUE(augmented.factor(example.M, example.A, example.Gamma, 0.0));
  solve::AugmentedSolution whole;
  ASSERT_TRUE(augmented.solve(example.f, example.b, whole));
  EXPECT_LT((whole.u - solution.u).norm(), 1e-9 * (1.0 + whole.u.norm()));
  EXPECT_LT((whole.effort - solution.effort).norm(), 1e-9 * (1.0 + whole.effort.norm()));
  example.b[3] += 0.1;
  example.fill(true);
  const auto done = example.solve(solution);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, FailureKind::kInconsistent);
}

TEST(Directed, AnEffortWhoseRowFollowsFromIdealRowsIsZero) {
  Example example(9, 6, 2, 1, 1);
  example.A.row(2) = 0.5 * example.A.row(0) - 3.0 * example.A.row(1);
  example.b[2] = 0.5 * example.b[0] - 3.0 * example.b[1];
  example.fill(true);
  solve::ConstrainedSolve ideal(6, 2);
  ASSERT_TRUE(ideal.factor(example.M, example.A.topRows(2)));
  solve::Solution reaction;
  ASSERT_TRUE(ideal.solve(example.f, example.b.head(2), reaction));
  DirectedSolution solution;
  ASSERT_TRUE(example.solve(solution));
  EXPECT_LT(solution.effort.norm(), 1e-10);
  solve::AugmentedSolve augmented(6, {0, 0, 1}, example.scale);
  solve::AugmentedSolution whole;
  const auto solve_augmented = [&] {
    ASSERT_TRUE(augmented.factor(example.M, example.A, example.Gamma, 0.0));
    ASSERT_TRUE(augmented.solve(example.f, example.b, whole));
  };
  solve_augmented();
  EXPECT_LT(whole.effort.norm(), 1e-10);
  EXPECT_LT((whole.u - reaction.u).norm(), 1e-10 * (1.0 + reaction.u.norm()));
  EXPECT_LT((whole.lambda.head(2) - reaction.lambda).norm(), 1e-10 * (1.0 + reaction.lambda.norm()));
  // The same solver must work again after the row has become independent.
  example.A.row(2)[5] += 1.0;
  example.fill(true);
  ASSERT_TRUE(example.solve(solution));
  solve_augmented();
  EXPECT_GT(whole.effort.norm(), 1e-3);
  EXPECT_LT((whole.u - solution.u).norm(), 1e-9 * (1.0 + whole.u.norm()));
}

}  // namespace
}  // namespace vinculum::solve
