#include <gtest/gtest.h>

#include "support/solve/symbolic_problems.hpp"

namespace vinculum::solve {
namespace {

TEST(AnalyzeStructure, FindsMultiplesDependentRowsAndTheGenericRank) {
  EntrySystem entries(5, 2);
  Graph& graph = entries.graph;
  const Expr k = graph.symbol("k");
  auto& A = entries.system.A;
  const auto combine = [&](Expr c0, Expr c1) {
    std::vector<Expr> row;
    for (int j = 0; j < 5; ++j)
      row.push_back(c0 * A[0][static_cast<std::size_t>(j)] + c1 * A[1][static_cast<std::size_t>(j)]);
    A.push_back(row);
    entries.b.push_back(c0 * entries.b[0] + c1 * entries.b[1]);
  };
  const Expr zero = graph.constant(0.0);
  combine(graph.constant(-2.5), zero);                // row 2: a multiple
  combine(zero, k);                                   // row 3: a multiple of row 1 by a factor that varies
  combine(graph.constant(1.0), graph.constant(1.0));  // row 4: the sum
  combine(zero, zero);                                // row 5: identically zero
  combine(graph.constant(3.0), zero);                 // row 6: A is a multiple of row 0, b is not
  entries.b.back() = k;
  std::vector<Expr> inputs = entries.inputs;
  inputs.push_back(k);
  std::vector<std::vector<double>> states;
  RandomEngine engine(2);
  for (int i = 0; i < 5; ++i) {
    states.push_back(entries.values(numeric::random_system(engine, 5, 2)));
    states.back().push_back(1.0 + i);
  }
  states.push_back(states.front());
  states.back().front() = std::nan("");  // a state that must be ignored
  const StaticStructure structure = analyze_structure(entries.system, entries.b, inputs, states);
  EXPECT_EQ(structure.generic_rank, 2);
  constexpr int kDependent = StaticStructure::kDependent;
  const auto& of = structure.representative;
  EXPECT_EQ(of[5], kDependent);
  EXPECT_EQ(of[6], kDependent);
  EXPECT_EQ(std::count(of.begin(), of.end(), kDependent), 4);  // one of the rows 1, 3 and 4 is kept
  EXPECT_EQ(of[0], 0);
  EXPECT_EQ(of[2], 0);
  EXPECT_DOUBLE_EQ(structure.factor[2], -2.5);
  // The guard accepts a state if the rows agree. Row 6 contradicts row 0 unless k = 3 b0.
  const StaticSolution solution = StaticLdlt(entries.system, structure).solve(entries.f, entries.b, 1);
  RandomSystem s = numeric::random_system(engine, 5, 2);
  std::vector<double> values = entries.values(s);
  values.push_back(3.0 * s.b[0]);
  const Evaluated result = evaluate(solution, inputs, values);
  EXPECT_TRUE(result.is_accepted);
  EXPECT_LT(relative_error(result.u, by_pivots(s).u), 1e-11);
  values.back() *= 1.0 + 1e-6;
  EXPECT_FALSE(evaluate(solution, inputs, values).is_accepted);
}

TEST(AnalyzeStructure, FindsMassesThatAreSingularEverywhere) {
  // Two coordinates without mass are coupled by three of the rows. Results are compared with the pivoted solver.
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomEngine engine(seed);
    const int nu = 5, nc = 3;
    EntrySystem entries(nu, nc);
    const auto draw = [&] {
      RandomSystem s = numeric::random_system(engine, nu, nc);
      for (const int j : {1, 3}) {
        s.M.row(j).setZero();
        s.M.col(j).setZero();
      }
      return s;
    };
    std::vector<std::vector<double>> states;
    for (int i = 0; i < 5; ++i) states.push_back(entries.values(draw()));
    // Zero entries of M are symbols with the value zero, so only numbers show that M is singular.
    const StaticStructure structure = analyze_structure(entries.system, entries.b, entries.inputs, states);
    ASSERT_TRUE(structure.is_mass_singular);
    const StaticSolution solution = StaticLdlt(entries.system, structure).solve(entries.f, entries.b, 1);
    int accepted = 0;
    for (int trial = 0; trial < 20; ++trial) {
      const RandomSystem s = draw();
      const Evaluated result = evaluate(solution, entries.inputs, entries.values(s));
      if (!result.is_accepted) continue;
      ++accepted;
      expect_solves(s, result);
    }
    EXPECT_GT(accepted, 5);
  }
}

}  // namespace
}  // namespace vinculum::solve
