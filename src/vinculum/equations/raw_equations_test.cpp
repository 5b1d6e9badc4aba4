#include "vinculum/model/raw_equations.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "vinculum/equations/derive.hpp"
#include "vinculum/expr/interpreter.hpp"

namespace vinculum::equations {
namespace {

using model::Term;

TEST(RawEquations, AreMAndQAsTheyStandAlsoWhereMChanges) {
  model::ModelBuilder b("raw");
  const auto qx = b.add_coordinate("x"), qy = b.add_coordinate("y");
  const Term x = b.q(qx), y = b.q(qy), x_dot = b.q_dot(qx), y_dot = b.q_dot(qy);
  const std::vector<std::vector<Term>> M{{b.number(2.0) + x * y}, {b.sin(b.time()) * x, b.number(3.0) + b.cos(y)}};
  model::add_equations(b, std::vector{qx, qy}, M, std::vector{x_dot * y, b.number(-1.0) - y_dot * x_dot});
  const auto system = *derive(*b.finish());
  std::vector<expr::Expr> roots = system->M;
  roots.insert(roots.end(), system->f.begin(), system->f.end());
  const double t = 0.7, at_x = 0.4, at_y = -0.9, u = 1.3, v = -0.6;
  const std::vector<expr::Expr> symbols{system->t, system->q[0], system->q[1], system->u[0], system->u[1]};
  const auto values = expr::interpret(roots, symbols, std::vector{t, at_x, at_y, u, v});
  EXPECT_NEAR(values[0], 2.0 + at_x * at_y, 1e-14);
  EXPECT_NEAR(values[1], std::sin(t) * at_x, 1e-14);
  EXPECT_NEAR(values[2], std::sin(t) * at_x, 1e-14);
  EXPECT_NEAR(values[3], 3.0 + std::cos(at_y), 1e-14);
  EXPECT_NEAR(values[4], u * at_y, 1e-14);
  EXPECT_NEAR(values[5], -1.0 - v * u, 1e-14);
}

TEST(RawEquations, OfAConstantMassLeaveQAlone) {
  model::ModelBuilder b("raw");
  const auto q = b.add_coordinate("x");
  const Term Q = b.number(-4.0) * b.q(q);
  model::add_equations(b, std::vector{q}, {{b.number(2.0)}}, std::vector{Q});
  const auto& loads = b.model().loads;
  ASSERT_EQ(loads.size(), 2U);
  EXPECT_EQ(std::get<model::GeneralizedForceOn>(loads[1].what).force, Q);
}

}  // namespace
}  // namespace vinculum::equations
