// For accelerations without rows, the solver with fewer operations is used.
#include "vinculum/solve/generated/motion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/equations/bodies.hpp"
#include "vinculum/equations/articulated_bodies.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/expr/operation_count.hpp"

namespace vinculum::solve {
namespace {

TEST(FreeMotion, OfLongChainsIsThatOfArticulatedBodies) {
  for (const bool absolute : {false, true}) {
    const auto system = *equations::derive(equations::testing::rods(20, absolute));
    const auto tree = equations::articulated_motion(*system);
    const Acceleration motion = acceleration(*system, {}, tree ? &*tree : nullptr, 0);
    EXPECT_EQ(tree.has_value(), !absolute);
    if (tree) {
      EXPECT_EQ(motion.u_dot, tree->u_dot);  // equal expressions are the same nodes of the graph
    }
    EXPECT_EQ(motion.u_dot.size(), 20u);
    EXPECT_TRUE(motion.lambda.empty());
  }
}

TEST(FreeMotion, TakesTheWayOfFewerOperations) {
  for (const int n : {1, 2, 3, 6}) {
    const auto system = *equations::derive(equations::testing::rods(n, false));
    std::vector<expr::Expr> inputs = system->q;
    inputs.insert(inputs.end(), system->u.begin(), system->u.end());
    const auto operations = [&](std::vector<expr::Expr> u_dot, expr::Expr guard) {
      u_dot.push_back(guard);
      return expr::operation_count(u_dot, inputs);
    };
    const auto tree = equations::articulated_motion(*system);
    const Acceleration motion = acceleration(*system, {}, &*tree, 0);
    const auto dense = solve::StaticLdlt(symbolic_system(*system, {}), {}).solve(system->f, {}, 0);
    EXPECT_EQ(operations(motion.u_dot, motion.guards.contraction),
              std::min(operations(tree->u_dot, tree->contraction), operations(dense.u, dense.contraction)));
  }
}

/// Two pucks of masses 1 and `second`, whose velocities stay parallel.
std::shared_ptr<const equations::System> pucks(double second) {
  equations::testing::ModelBuilder b("pucks");
  const Dimension length = make_dimension(0, 1, 0), mass = make_dimension(1, 0, 0);
  const auto N = model::Model::newtonian();
  const auto x1 = b.add_coordinate("x1", length), y1 = b.add_coordinate("y1", length),
             x2 = b.add_coordinate("x2", length), y2 = b.add_coordinate("y2", length);
  const auto m1 = b.parameter(b.add_parameter("m1", 1.0, mass)), m2 = b.parameter(b.add_parameter("m2", second, mass));
  const auto O = b.add_fixed_point("O", N);
  const auto P1 = b.point_of(b.add_particle("P1", m1, O, b.q(x1) * b.axis(N, 0) + b.q(y1) * b.axis(N, 1)));
  const auto P2 = b.point_of(b.add_particle("P2", m2, O, b.q(x2) * b.axis(N, 0) + b.q(y2) * b.axis(N, 1)));
  b.add_force(P1, 0.3 * b.axis(N, 0));
  b.add_force(P2, 0.7 * b.axis(N, 0));
  b.add_constraint("parallel", b.terms().dot(b.vel(P2), b.terms().cross(b.axis(N, 2), b.vel(P1))));
  return *equations::derive(equations::testing::finished(b));
}

solve::StaticStructure of_one_row() {
  solve::StaticStructure structure;
  structure.representative = {0};
  structure.factor = {1.0};
  structure.generic_rank = 1;
  return structure;
}

TEST(ReducedMotion, OfMassesThatDifferAsDeclaredIsNotWritten) {
  for (const double second : {0.05, 20.0}) {
    const auto system = pucks(second);
    const Acceleration whole = acceleration(*system, of_one_row(), nullptr, 3);
    EXPECT_FALSE(reduced_acceleration(*system, of_one_row(), whole).has_value());
  }
}

TEST(ReducedMotion, OfAlikeMassesTakesNoCorrections) {
  const auto system = pucks(2.0);
  const solve::StaticStructure structure = of_one_row();
  const Acceleration whole = acceleration(*system, structure, nullptr, 3);
  const auto reduced = reduced_acceleration(*system, structure, whole);
  ASSERT_TRUE(reduced.has_value());
  std::vector<expr::Expr> inputs = system->u, outputs = reduced->u_dot;
  inputs.insert(inputs.end(), system->parameters.begin(), system->parameters.end());
  outputs.insert(outputs.end(), whole.u_dot.begin(), whole.u_dot.end());
  outputs.push_back(reduced->guards.residual);
  outputs.push_back(reduced->guards.contraction);
  const auto is_accepted_with = [&](double m1, double m2) {
    const auto found = expr::interpret(outputs, inputs, std::vector<double>{0.25, 1.0, 1.0, 4.0, m1, m2});
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found[i], found[4 + i], 1e-15 * (1.0 + std::abs(found[i]))) << m2;
    return found[8] <= solve::StaticLdlt::kTolResidual && found[9] <= solve::StaticLdlt::kTolContraction;
  };
  EXPECT_TRUE(is_accepted_with(1.0, 2.0));
  EXPECT_TRUE(is_accepted_with(9.0, 1.0));
  EXPECT_FALSE(is_accepted_with(1.0, 11.0));
  EXPECT_FALSE(is_accepted_with(1.0, 0.05));
}

}  // namespace
}  // namespace vinculum::solve
