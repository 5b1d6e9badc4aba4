#include "vinculum/equations/deferred.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/equations/bodies.hpp"
#include "vinculum/equations/articulated_bodies.hpp"

namespace vinculum::equations {
namespace {

TEST(Deferred, IsWrittenOnceForAllCopies) {
  expr::Graph graph;
  int calls = 0;
  const Deferred first([&] { return ++calls, Deferred::Entries{graph.symbol("x")}; });
  const Deferred second = first;
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(second[0], graph.symbol("x"));
  EXPECT_EQ(first.size(), 1u);
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(first.is_deferred());
}

TEST(Deferred, KeepsWhatOtherCopiesHoldWhenOneIsChanged) {
  expr::Graph graph;
  const Deferred kept(Deferred::Entries{graph.symbol("x")});
  Deferred changed = kept;
  changed.own()[0] += graph.symbol("y");
  EXPECT_EQ(kept[0], graph.symbol("x"));
  EXPECT_EQ(changed[0], graph.symbol("x") + graph.symbol("y"));
}

TEST(DeferredMassMatrix, IsThatOfTheMotionByArticulatedBodies) {
  const auto system = *derive(testing::rods(130, false));
  ASSERT_TRUE(system->M.is_deferred());
  const auto motion = articulated_motion(*system);
  ASSERT_TRUE(motion);
  std::mt19937_64 generator(3);
  const testing::SystemAt at(*system, testing::random_instant(*system->model, generator));
  const auto M = at.values(system->M), f = at.values(system->f), u_dot = at.values(motion->u_dot);
  for (std::size_t r = 0; r < f.size(); ++r) {
    double missed = f[r], size = std::abs(f[r]);
    for (std::size_t s = 0; s < f.size(); ++s) {
      missed -= M[r * f.size() + s] * u_dot[s];
      size += std::abs(M[r * f.size() + s] * u_dot[s]);
    }
    EXPECT_NEAR(missed, 0.0, 1e-12 * size);
  }
}

}  // namespace
}  // namespace vinculum::equations
