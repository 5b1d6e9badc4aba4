#include "vinculum/solve/generated/dependent_speeds.hpp"

#include <gtest/gtest.h>

#include "support/solve/symbolic_problems.hpp"

namespace vinculum::solve {
namespace {

/// A rolling wheel. Its speeds are the angular velocity and the velocity of its center, in axes of the plane rotated by
/// `yaw`. Optionally the system has another row with arbitrary entries.
struct Wheel {
  Graph graph;
  SymbolicSystem system;
  std::vector<Expr> f, b, inputs;

  explicit Wheel(bool has_further_row) {
    const auto symbol = [this](const std::string& name) {
      inputs.push_back(graph.symbol(name));
      return inputs.back();
    };
    const Expr zero = graph.constant(0.0), one = graph.constant(1.0);
    const Expr yaw = symbol("yaw"), lean = symbol("lean"), r = symbol("r"), m = symbol("m"), I = symbol("I");
    system.nu = 6;
    system.M.assign(36, zero);
    for (std::size_t j = 0; j < 6; ++j) system.M[7 * j] = j < 3 ? (j == 1 ? 2.0 * I : I) : m;
    const Expr s = sine(yaw), c = cosine(yaw);
    system.A = {std::vector{zero, -r, zero, c, s, zero}, std::vector{r * cosine(lean), zero, zero, -s, c, zero},
                std::vector{r * sine(lean), zero, zero, zero, zero, one}};
    if (has_further_row) {
      std::vector<Expr> row;
      for (int j = 0; j < 6; ++j) row.push_back(symbol("A" + std::to_string(j)));
      system.A.emplace_back(row);
    }
    for (int j = 0; j < 6; ++j) f.push_back(symbol("f" + std::to_string(j)));
    for (std::size_t i = 0; i < system.A.size(); ++i) b.push_back(symbol("b" + std::to_string(i)));
  }

  [[nodiscard]] std::vector<double> values(RandomEngine& engine) const {
    const Vector random = numeric::random_vector(engine, static_cast<int>(inputs.size()));
    std::vector<double> all(random.begin(), random.end());
    for (std::size_t k = 2; k < 5; ++k) all[k] = 0.3 + std::abs(all[k]);  // r, m, I
    return all;
  }
};

TEST(DependentSpeeds, AgreeWithThePivotedSolver) {
  for (const bool has_further_row : {false, true}) {
    const Wheel wheel(has_further_row);
    const DependentSpeeds dependent(wheel.system);
    EXPECT_EQ(dependent.rest().nu, 3);
    EXPECT_EQ(dependent.rest().A.size(), has_further_row ? 1u : 0u);
    const StaticSolution solution = dependent.solve(wheel.f, wheel.b, 1);
    RandomEngine engine(7);
    for (int i = 0; i < 200; ++i) {
      const std::vector<double> at = wheel.values(engine);
      const Evaluated result = evaluate(solution, wheel.inputs, at);
      if (!result.is_accepted && has_further_row) continue;
      ASSERT_TRUE(result.is_accepted);
      const RandomSystem s = numbers(wheel.system, wheel.f, wheel.b, wheel.inputs, at);
      const Solution reference = by_pivots(s);
      EXPECT_LT(relative_error(result.u, reference.u), 1e-12);
      EXPECT_LT(relative_error(result.lambda, reference.lambda), 1e-11);
      EXPECT_LT((s.A * result.u - s.b).norm(), 1e-14 * (s.b.norm() + s.A.norm() * result.u.norm()));
    }
  }
}

TEST(DependentSpeeds, OfAWheelLeaveNoPivotThatVaries) {
  const Wheel wheel(false);
  const std::vector<Expr> parameters(wheel.inputs.begin() + 2, wheel.inputs.begin() + 5);
  const Cost cost = cost_of(DependentSpeeds(wheel.system).solve(wheel.f, wheel.b, 1), parameters);
  EXPECT_EQ(cost.divisions, 0);
  EXPECT_LE(cost.operations, 45);
}

TEST(DependentSpeeds, AreNoneWhereEntriesMayVanish) {
  const EntrySystem entries(4, 2, true);
  EXPECT_TRUE(DependentSpeeds(entries.system).is_empty());
}

}  // namespace
}  // namespace vinculum::solve
