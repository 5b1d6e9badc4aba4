#include "vinculum/solve/pivoted/reaction_forces.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numeric>
#include <random>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/expr/interpreter.hpp"

namespace vinculum::solve {
namespace {

using expr::Expr;

/// The problem M u' = f + C(λ) + Aᵀλ, A u' = b with constant M, f, A, b; each test sets C.
struct WrittenMotion {
  WrittenMotion(Matrix mass, Matrix rows, Vector force, Vector right)
      : M(std::move(mass)), A(std::move(rows)), f(std::move(force)), b(std::move(right)) {
    system.graph = std::make_shared<expr::Graph>();
    const auto number = [this](double value) { return system.graph->constant(value); };
    std::vector<Expr> entries;
    for (int i = 0; i < M.rows(); ++i) {
      system.u.push_back(system.graph->symbol("u" + std::to_string(i)));
      system.f.push_back(number(f[i]));
      system.C.push_back(number(0.0));
      for (int j = 0; j < M.cols(); ++j) entries.push_back(number(M(i, j)));
    }
    system.M.own() = std::move(entries);
    for (int i = 0; i < A.rows(); ++i) {
      system.lambda.push_back(system.graph->symbol("lambda" + std::to_string(i)));
      system.lambda_ideal.push_back(system.graph->symbol("ideal" + std::to_string(i)));
      equations::Row row;
      std::vector<Expr> gradient;
      for (int j = 0; j < A.cols(); ++j) gradient.push_back(number(A(i, j)));
      row.A = gradient;
      row.b = number(b[i]);
      system.rows.push_back(std::move(row));
      structure.representative.push_back(i);
      structure.factor.push_back(1.0);
    }
    structure.generic_rank = static_cast<int>(A.rows());
  }

  struct Answer {
    Vector u_dot, lambda;
    double residual = 0.0;
  };
  /// Evaluates the generated code.
  [[nodiscard]] Answer solve() const {
    const auto found = reaction_force_acceleration(system, reaction_dependence(system), structure, 1);
    std::vector<Expr> all = found->u_dot;
    all.insert(all.end(), found->lambda.begin(), found->lambda.end());
    all.push_back(found->guards.residual);
    const std::vector<double> values = expr::interpret(all, {}, {});
    Answer answer{Eigen::Map<const Vector>(values.data(), M.rows()),
                  Eigen::Map<const Vector>(values.data() + M.rows(), A.rows()), values.back()};
    return answer;
  }
  /// Residual of the equations relative to their terms.   \param C  C(λ) for the multipliers of `at`.
  [[nodiscard]] double miss(const Answer& at, const Vector& C) const {
    const Vector motion = M * at.u_dot - f - C - A.transpose() * at.lambda;
    const double size = (M * at.u_dot).norm() + f.norm() + C.norm();
    return motion.norm() / size + (A * at.u_dot - b).norm() / (A.norm() * at.u_dot.norm() + b.norm());
  }

  Matrix M, A;
  Vector f, b;
  equations::System system;
  solve::StaticStructure structure;
};

WrittenMotion random_motion(int nu, int nc, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  const auto fill = [&](int rows, int columns) {
    return Matrix(rows, columns).unaryExpr([&](double) { return normal(random); }).eval();
  };
  const Matrix X = fill(nu, nu);
  return {X * X.transpose() + Matrix::Identity(nu, nu), fill(nc, nu), fill(nu, 1), fill(nc, 1)};
}

// A block of weight 14. The normal force N and a force 3 ∛N support the weight, so N = 8. A brake force c N² acts along
// the direction of motion.
TEST(ReactionForces, AreThoseOfTheReactionThatGoesWithThem) {
  WrittenMotion block(Matrix::Identity(2, 2), (Matrix(1, 2) << 0.0, 1.0).finished(),
                      (Vector(2) << 0.0, -14.0).finished(), Vector::Zero(1));
  const Expr N = block.system.lambda[0];
  block.system.C = {-0.25 * N * N, 3.0 * expr::power(N, 1.0 / 3.0)};
  const WrittenMotion::Answer answer = block.solve();
  EXPECT_LE(answer.residual, 0.0);
  EXPECT_NEAR(answer.lambda[0], 8.0, 1e-13);
  EXPECT_NEAR(answer.u_dot[0], -16.0, 1e-12);
  EXPECT_NEAR(answer.u_dot[1], 0.0, 1e-13);
}

TEST(ReactionForces, SatisfyTheEquationsOfManyMultipliers) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    WrittenMotion p = random_motion(7, 4, seed);
    const auto& lambda = p.system.lambda;
    const double strength = 0.05 * (seed % 4);
    p.system.C[0] = strength * p.system.graph->make(expr::Op::kHyperbolicTangent, lambda[0] * lambda[2]);
    p.system.C[3] = strength * (lambda[2] - lambda[0] / expr::square_root(1.0 + lambda[0] * lambda[0]));
    p.system.C[6] = strength * p.system.lambda_ideal[1];
    const WrittenMotion::Answer answer = p.solve();
    ASSERT_LE(answer.residual, 0.0) << seed;
    Vector C = Vector::Zero(7);
    C[0] = strength * std::tanh(answer.lambda[0] * answer.lambda[2]);
    C[3] = strength * (answer.lambda[2] - answer.lambda[0] / std::hypot(1.0, answer.lambda[0]));
    const Matrix G = p.A * p.M.inverse() * p.A.transpose();
    C[6] = strength * (G.inverse() * (p.b - p.A * p.M.inverse() * p.f))[1];
    EXPECT_LT(p.miss(answer, C), 1e-11) << seed;
  }
}

TEST(ReactionForces, AreRefusedWhereNewtonsMethodDoesNotArrive) {
  WrittenMotion block(Matrix::Identity(2, 2), (Matrix(1, 2) << 0.0, 1.0).finished(),
                      (Vector(2) << 0.0, -1.0).finished(), Vector::Zero(1));
  const Expr N = block.system.lambda[0];
  block.system.C = {block.system.graph->constant(0.0), -1.0 - N * N};  // N = 2 + N² has no real solution
  EXPECT_FALSE(block.solve().residual <= 0.0);
}

TEST(ReactionForces, AreNotWrittenWhereRowsDependOnEachOther) {
  WrittenMotion p = random_motion(5, 2, 3);
  p.system.C[0] = p.system.lambda[0] * p.system.lambda[0];
  p.structure.representative[1] = solve::StaticStructure::kDependent;
  EXPECT_FALSE(reaction_force_acceleration(p.system, reaction_dependence(p.system), p.structure, 1));
}

}  // namespace
}  // namespace vinculum::solve
