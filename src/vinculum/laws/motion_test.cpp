// The way to accelerations without rows is chosen by what it takes.
#include "vinculum/laws/motion.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/dynamics/bodies.hpp"
#include "vinculum/dynamics/articulated_bodies.hpp"
#include "vinculum/expr/operation_count.hpp"

namespace vinculum::laws {
namespace {

TEST(FreeMotion, OfLongChainsIsThatOfArticulatedBodies) {
  for (const bool absolute : {false, true}) {
    const auto system = *dynamics::derive(dynamics::testing::rods(20, absolute));
    const auto tree = dynamics::articulated_motion(*system);
    const Acceleration motion = acceleration(*system, {}, tree ? &*tree : nullptr, 0);
    EXPECT_EQ(tree.has_value(), !absolute);
    if (tree) {
      EXPECT_EQ(motion.u_dot, tree->u_dot);  // the same nodes
    }
    EXPECT_EQ(motion.u_dot.size(), 20u);
    EXPECT_TRUE(motion.lambda.empty());
  }
}

TEST(FreeMotion, TakesTheWayOfFewerOperations) {
  for (const int n : {1, 2, 3, 6}) {
    const auto system = *dynamics::derive(dynamics::testing::rods(n, false));
    std::vector<expr::Expr> inputs = system->q;
    inputs.insert(inputs.end(), system->u.begin(), system->u.end());
    const auto operations = [&](std::vector<expr::Expr> u_dot, expr::Expr guard) {
      u_dot.push_back(guard);
      return expr::operation_count(u_dot, inputs);
    };
    const auto tree = dynamics::articulated_motion(*system);
    const Acceleration motion = acceleration(*system, {}, &*tree, 0);
    const auto dense = solve::StaticLdlt(symbolic_system(*system, {}), {}).solve(system->f, {}, 0);
    EXPECT_EQ(operations(motion.u_dot, motion.guards.contraction),
              std::min(operations(tree->u_dot, tree->contraction), operations(dense.u, dense.contraction)));
  }
}

}  // namespace
}  // namespace vinculum::laws
