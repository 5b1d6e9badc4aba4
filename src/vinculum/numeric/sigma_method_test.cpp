#include "vinculum/numeric/sigma_method.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace vinculum::numeric {
namespace {

constexpr int o = kNotThere;
using List = std::vector<int>;

TEST(SigmaMethod, DifferentiatesTheLengthOfAPendulumTwice) {
  // x'' + λx, y'' + λy − g, x² + y² − l² in (x, y, λ): Pryce 2001, example 3.1.
  const auto found = sigma_method({2, o, 0,  //
                                   o, 2, 0,  //
                                   0, 0, o},
                                  3);
  ASSERT_TRUE(found.is_regular());
  EXPECT_EQ(found.c, (List{0, 0, 2}));
  EXPECT_EQ(found.d, (List{2, 2, 0}));
}

TEST(SigmaMethod, FindsTheOffsetsOfTwoCoupledPendula) {
  // The length of the second pendulum depends on the multiplier of the first: x² + y² − l², u² + v² − (l + cλ)². Pryce
  // 2001, example 5.2.
  const auto found = sigma_method({2, o, 0, o, o, o,  // x'' + λx
                                   o, 2, 0, o, o, o,  // y'' + λy − g
                                   0, 0, o, o, o, o,  //
                                   o, o, o, 2, o, 0,  // u'' + κu
                                   o, o, o, o, 2, 0,  // v'' + κv − g
                                   o, o, 0, 0, 0, o},
                                  6);
  ASSERT_TRUE(found.is_regular());
  EXPECT_EQ(found.c, (List{2, 2, 4, 0, 0, 2}));  // index 5
  EXPECT_EQ(found.d, (List{4, 4, 2, 2, 2, 0}));
}

TEST(SigmaMethod, LeavesAnOrdinaryDifferentialEquationAsItIs) {
  const auto found = sigma_method({1, 0, 0, 1}, 2);
  EXPECT_EQ(found.c, (List{0, 0}));
  EXPECT_EQ(found.d, (List{1, 1}));
}

TEST(SigmaMethod, TakesAConstraintNonlinearInTheAccelerationsUpTwoDerivatives) {
  // Unknowns (x, y, μ). Both equations of motion contain x'''', y'''' and μ''; the constraint F contains x'', y''.
  const auto found = sigma_method({4, 4, 2, 4, 4, 2, 2, 2, o}, 3);
  EXPECT_EQ(found.c, (List{0, 0, 2}));
  EXPECT_EQ(found.d, (List{4, 4, 2}));
}

TEST(SigmaMethod, NamesEquationsThatHoldTooFewUnknowns) {
  // Equations 0 and 2 contain only x.
  const auto found = sigma_method({2, o, o,  //
                                   1, 0, 0,  //
                                   0, o, o},
                                  3);
  EXPECT_FALSE(found.is_regular());
  EXPECT_EQ(found.equations, (List{0, 2}));
  EXPECT_EQ(found.unknowns, (List{0}));
  EXPECT_TRUE(found.c.empty());
}

TEST(SigmaMethod, HasATransversalOfGreatestSumAndTheSmallestOffsets) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + static_cast<int>(random() % 5);
    List sigma(static_cast<std::size_t>(n * n));
    for (int& s : sigma) s = random() % 3 == 0 ? o : static_cast<int>(random() % 5);
    const auto value = [&](int i, int j) { return sigma[static_cast<std::size_t>(i * n + j)]; };
    // The greatest Σ σ over all transversals (matchings of equations and unknowns), found by trying all.
    List order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    int best = -1;
    do {
      int sum = 0;
      for (int i = 0; i < n && sum >= 0; ++i)
        sum =
            value(i, order[static_cast<std::size_t>(i)]) == o ? -1 : sum + value(i, order[static_cast<std::size_t>(i)]);
      best = std::max(best, sum);
    } while (std::ranges::next_permutation(order).found);
    const auto found = sigma_method(sigma, n);
    ASSERT_EQ(found.is_regular(), best >= 0) << trial;
    if (best < 0) {
      EXPECT_EQ(found.equations.size(), found.unknowns.size() + 1) << trial;
      for (const int i : found.equations) {
        for (int j = 0; j < n; ++j)
          EXPECT_TRUE(value(i, j) == o || std::ranges::count(found.unknowns, j) == 1) << trial;
      }
      continue;
    }
    int sum = 0;
    bool has_zero = false;
    for (int i = 0; i < n; ++i) {
      const int j = found.transversal[static_cast<std::size_t>(i)];
      sum += value(i, j);
      EXPECT_EQ(found.d[static_cast<std::size_t>(j)] - found.c[static_cast<std::size_t>(i)], value(i, j)) << trial;
      for (int k = 0; k < n; ++k) {
        EXPECT_TRUE(value(i, k) == o ||
                    found.d[static_cast<std::size_t>(k)] - found.c[static_cast<std::size_t>(i)] >= value(i, k))
            << trial;
      }
      has_zero = has_zero || found.c[static_cast<std::size_t>(i)] == 0;
    }
    EXPECT_EQ(sum, best) << trial;
    EXPECT_TRUE(has_zero) << trial;
    // The dual of the assignment problem: Σ d − Σ c is the value of the transversal.
    EXPECT_EQ(std::accumulate(found.d.begin(), found.d.end(), 0) - std::accumulate(found.c.begin(), found.c.end(), 0),
              best);
  }
}

}  // namespace
}  // namespace vinculum::numeric
