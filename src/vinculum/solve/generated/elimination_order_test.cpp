#include "vinculum/solve/generated/elimination_order.hpp"

#include <gtest/gtest.h>

#include "support/solve/symbolic_problems.hpp"
#include "vinculum/base/index.hpp"

/// Orders in which a row is eliminated after its own coordinates only (see elimination_order.hpp).
namespace vinculum::solve {
namespace {

/// Adjacent four-bar windows of uniform rods, described by the positions of their pins. The mass of a rod is shared by
/// both ends, so M couples all positions along one axis.
struct Windows {
  Graph graph;
  SymbolicSystem system;
  std::vector<Expr> f, b, inputs;

  explicit Windows(int windows) {
    const int pins = windows + 1;
    const auto symbol = [&](const char* name, int i) {
      return inputs.emplace_back(graph.symbol(name + std::to_string(i)));
    };
    const Expr zero = graph.constant(0.0);
    system.nu = 2 * pins;
    const auto at = [&](int i, int j) -> Expr& { return system.M[static_cast<std::size_t>(i * system.nu + j)]; };
    system.M.assign(static_cast<std::size_t>(system.nu * system.nu), zero);
    for (int i = 0; i < system.nu; ++i) {
      const bool is_end = i % pins == 0 || i % pins == windows;
      at(i, i) = graph.constant(is_end ? 2.0 / 3.0 : 1.0);
      if (i % pins > 0) at(i, i - 1) = at(i - 1, i) = graph.constant(1.0 / 6.0);
    }
    std::vector<std::vector<Expr>> rows;
    const std::vector<Expr> none(static_cast<std::size_t>(system.nu), zero);
    for (int i = 0; i < pins; ++i) {
      auto& bar = rows.emplace_back(none);
      nth(bar, i) = symbol("cx", i);
      nth(bar, pins + i) = symbol("cy", i);
    }
    for (int i = 1; i < pins; ++i) {
      auto& coupler = rows.emplace_back(none);
      nth(coupler, i) = symbol("dx", i);
      nth(coupler, i - 1) = -nth(coupler, i);
      nth(coupler, pins + i) = symbol("dy", i);
      nth(coupler, pins + i - 1) = -nth(coupler, pins + i);
    }
    system.A.assign(rows.begin(), rows.end());
    for (int j = 0; j < system.nu; ++j) f.push_back(symbol("f", j));
    for (std::size_t i = 0; i < system.A.size(); ++i) b.push_back(symbol("b", static_cast<int>(i)));
  }
  [[nodiscard]] StaticSolution solution() const {
    return StaticLdlt(system, all_kept(static_cast<int>(system.A.size()))).solve(f, b, 1);
  }
  /// State with cranks at the distance `from_flat` from the flat configuration and couplers along x; random forces and
  /// right-hand sides.
  [[nodiscard]] std::vector<double> values(double from_flat, std::uint64_t seed) const {
    RandomEngine engine(seed);
    const Vector rest = numeric::random_vector(engine, static_cast<int>(f.size() + b.size()));
    std::vector<double> values;
    const std::size_t couplers = b.size() / 2;
    for (std::size_t i = 0; i <= couplers; ++i) values.insert(values.end(), {std::cos(from_flat), std::sin(from_flat)});
    for (std::size_t i = 0; i < couplers; ++i) values.insert(values.end(), {1.0, 0.0});
    values.insert(values.end(), rest.begin(), rest.end());
    return values;
  }
};

TEST(EliminationOrder, CostsAsMuchAWindowHoweverManyThereAre) {
  const auto cost = [](int windows) {
    const Windows of(windows);
    return cost_of(of.solution(), {}).operations;
  };
  const int ten = cost(10), twenty = cost(20), forty = cost(40);
  EXPECT_NEAR(forty - twenty, 2 * (twenty - ten), 4);
  EXPECT_LT(forty, 5 * ten);
}

TEST(EliminationOrder, OfRowsThatWaitForTheirOwnAgreesWithThePivotedSolver) {
  const Windows windows(12);
  const StaticSolution solution = windows.solution();
  for (const double from_flat : {1.0, 0.3, 1e-1, 1e-2, 3e-3, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      SCOPED_TRACE(std::to_string(from_flat) + " seed " + std::to_string(seed));
      const std::vector<double> values = windows.values(from_flat, seed);
      const RandomSystem s = numbers(windows.system, windows.f, windows.b, windows.inputs, values);
      const Evaluated result = evaluate(solution, windows.inputs, values);
      // The residual of A u = b before the correction is about ε divided by the square of the distance from the flat
      // configuration. At 1e-3 it is just what one correction can remove, so the guard may accept or refuse.
      if (from_flat != 1e-3) {
        EXPECT_EQ(result.is_accepted, from_flat > 1e-3);
      }
      if (!result.is_accepted) continue;
      const Solution reference = by_pivots(s);
      EXPECT_LT(relative_error(result.u, reference.u), 1e-12 / from_flat);
      EXPECT_LT(relative_error(s.A.transpose() * result.lambda, reference.Q), 1e-12 / from_flat);
      EXPECT_LT((s.A * result.u - s.b).norm(), 1e-13 * (1.0 + s.A.norm() * result.u.norm()));
    }
  }
}

TEST(EliminationOrder, KeepsRowsWaitingForAllCoordinatesWhereThatCostsNoMore) {
  // Three coupled coordinates and a row that acts on the first one. If the row waited only for that one, it would be
  // eliminated before the other coordinates.
  const Touches touches{{1, 2, 3}, {0, 2}, {0, 1}, {0}};
  EXPECT_EQ(elimination_order(touches, 3), (std::vector<int>{1, 2, 0, 3}));
}

}  // namespace
}  // namespace vinculum::solve
