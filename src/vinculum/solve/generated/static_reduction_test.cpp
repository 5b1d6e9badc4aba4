#include "vinculum/solve/generated/static_reduction.hpp"

#include <gtest/gtest.h>

#include "support/solve/symbolic_problems.hpp"

namespace vinculum::solve {
namespace {

SpeedBlocks blocks_at(const EntrySystem& entries, const RandomSystem& s) {
  const std::vector<Matrix> M{s.M}, A{s.A};
  return find_speed_blocks(entries.system.A, M, A);
}

TEST(StaticReduction, AgreesWithThePivotedSolverOnRandomSystems) {
  int accepted = 0, total = 0;
  for (int nu = 1; nu <= 8; ++nu) {
    for (int nc = 1; nc <= std::min(nu, 6); ++nc) {
      const EntrySystem entries(nu, nc);
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(std::to_string(nu) + "x" + std::to_string(nc) + " seed " + std::to_string(seed));
        RandomEngine engine(seed);
        const RandomSystem s = numeric::random_system(engine, nu, nc);
        const SpeedBlocks blocks = blocks_at(entries, s);
        ++total;
        if (blocks.is_empty()) continue;
        EXPECT_EQ(blocks.independent.size(), static_cast<std::size_t>(nu - nc));
        const StaticSolution solution = StaticReduction(entries.system, blocks).solve(entries.f, entries.b);
        const Evaluated result = evaluate(solution, entries.inputs, entries.values(s));
        if (!result.is_accepted) continue;
        ++accepted;
        expect_solves(s, result);
      }
    }
  }
  EXPECT_GT(accepted, total * 70 / 100);
}

TEST(StaticReduction, RefusesBeforeItsErrorGrowsNearSingularConfigurations) {
  for (const int nc : {3, 6}) {
    const int nu = 7;
    const EntrySystem entries(nu, nc);
    RandomEngine first(1);
    const SpeedBlocks blocks = blocks_at(entries, numeric::random_system_with_singular_values(first, nu, nc, 1.0));
    ASSERT_FALSE(blocks.is_empty());
    const StaticSolution solution = StaticReduction(entries.system, blocks).solve(entries.f, entries.b);
    for (const double smallest : {1.0, 1e-1, 1e-2, 1e-3, 1e-5, 1e-7, 1e-10, 1e-12}) {
      int accepted = 0;
      for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        RandomEngine engine(seed);
        const RandomSystem s = numeric::random_system_with_singular_values(engine, nu, nc, smallest);
        const Evaluated result = evaluate(solution, entries.inputs, entries.values(s));
        if (!result.is_accepted) continue;
        ++accepted;
        EXPECT_LT(relative_error(result.u, by_pivots(s).u), 1e-11) << "s = " << smallest;
      }
      EXPECT_GE(accepted, smallest == 1.0 ? 10 : 0);
      EXPECT_LE(accepted, smallest <= 1e-5 ? 0 : 50) << "s = " << smallest;
    }
  }
}

/// Two loops driven by a crank; each loop determines two speeds.
SymbolicSystem loops(Graph& graph, std::vector<Expr>& inputs) {
  SymbolicSystem system;
  system.nu = 5;
  system.M.assign(25, graph.constant(0.0));
  for (std::size_t j = 0; j < 5; ++j) system.M[6 * j] = graph.constant(1.0 + static_cast<double>(j));
  const std::vector<std::vector<std::size_t>> speeds{{0, 1, 2}, {0, 1, 2}, {0, 1, 3, 4}, {0, 1, 3, 4}};
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    expr::SparseRow row(graph, 5);
    for (const std::size_t j : speeds[i]) {
      inputs.push_back(graph.symbol("A" + std::to_string(i) + std::to_string(j)));
      row.add(j, inputs.back());
    }
    system.A.push_back(row);
  }
  return system;
}

TEST(SpeedBlocks, AreALoopEach) {
  Graph graph;
  std::vector<Expr> inputs;
  const SymbolicSystem system = loops(graph, inputs);
  Matrix A(4, 5);
  A << 0.3, 1.0, 0.2, 0.0, 0.0, 0.1, 0.3, 1.1, 0.0, 0.0, 0.3, 1.0, 0.0, 0.9, 0.1, 0.1, 0.3, 0.0, -0.2, 1.0;
  const std::vector<Matrix> M{Matrix(Vector::LinSpaced(5, 1.0, 5.0).asDiagonal())}, As{A};
  const SpeedBlocks found = find_speed_blocks(system.A, M, As);
  ASSERT_EQ(found.blocks.size(), 2u);
  EXPECT_EQ(found.independent, std::vector<int>{0});
  EXPECT_EQ(found.blocks[0].rows, (std::vector<int>{0, 1}));
  EXPECT_EQ(found.blocks[0].speeds, (std::vector<int>{1, 2}));
  EXPECT_EQ(found.blocks[1].rows, (std::vector<int>{2, 3}));
  EXPECT_EQ(found.blocks[1].speeds, (std::vector<int>{3, 4}));
  const std::vector<Expr> force(5, graph.constant(1.0)), b(4, graph.constant(0.0));
  EXPECT_EQ(cost_of(StaticReduction(system, found).solve(force, b), {}).divisions, 3);
}

/// A crank and a rod of lengths a, b whose end is fixed: two rows for three angles.
struct Linkage {
  Graph graph;
  SymbolicSystem system;
  std::vector<Expr> inputs, f, b;

  Linkage() {
    const auto input = [&](const char* name) { return inputs.emplace_back(graph.symbol(name)); };
    const Expr x = input("x"), y = input("y"), z = input("z"), a = input("a"), c = input("c");
    const Expr zero = graph.constant(0.0);
    system.nu = 3;
    system.M = {graph.constant(1.0), zero, zero, zero, graph.constant(2.0), zero, zero, zero, graph.constant(3.0)};
    system.A.emplace_back(std::vector{-sine(x), -a * sine(y), -c * sine(z)});
    system.A.emplace_back(std::vector{cosine(x), a * cosine(y), c * cosine(z)});
    system.parameters = {a, c};
    f = {graph.constant(1.0), zero, zero};
    b = {square(x), square(y)};
  }
};

TEST(SpeedBlocks, AreGuardedByFormWhereTheyAreFarByItToo) {
  Linkage linkage;
  const auto structure_at = [&](double y, double z) {
    const std::vector<std::vector<double>> states{{0.3, y, z, 1.5, 1.1}};
    return analyze_structure(linkage.system, linkage.b, linkage.inputs, states);
  };
  const SpeedBlocks far = structure_at(0.2, 1.7).blocks;
  ASSERT_EQ(far.blocks.size(), 1u);
  EXPECT_TRUE(far.blocks[0].is_far_by_form);
  SpeedBlocks by_lengths = far;
  by_lengths.blocks[0].is_far_by_form = false;
  const StaticSolution by_form = StaticReduction(linkage.system, far).solve(linkage.f, linkage.b);
  const StaticSolution exact = StaticReduction(linkage.system, by_lengths).solve(linkage.f, linkage.b);
  EXPECT_EQ(by_form.u, exact.u);  // equal expressions are the same nodes of the graph
  EXPECT_LT(cost_of(by_form, linkage.system.parameters).operations,
            cost_of(exact, linkage.system.parameters).operations - 8);
  // A guard with upper bounds of the row lengths must refuse every state that the guard with exact lengths refuses.
  RandomEngine engine(3);
  int refused = 0, accepted = 0;
  for (int repetition = 0; repetition < 500; ++repetition) {
    const Vector angles = 3.0 * numeric::random_vector(engine, 3);
    const std::vector<double> values{angles[0], angles[1], angles[2], 1.5, 1.1};
    const bool is_accepted = evaluate(by_form, linkage.inputs, values).is_accepted;
    accepted += is_accepted ? 1 : 0;
    if (evaluate(exact, linkage.inputs, values).is_accepted) continue;
    ++refused;
    EXPECT_FALSE(is_accepted);
  }
  EXPECT_GT(accepted, 300);
  EXPECT_GT(refused, 0);
}

TEST(SpeedBlocks, AreGuardedByTheirLengthsWhereFormTellsNone) {
  // If the lengths are symbols that vary, there are no upper bounds, so both guards are the same.
  Linkage linkage;
  linkage.system.parameters = {};
  const std::vector<std::vector<double>> states{{0.3, 0.2, 1.7, 1.5, 1.1}};
  SpeedBlocks found = analyze_structure(linkage.system, linkage.b, linkage.inputs, states).blocks;
  ASSERT_EQ(found.blocks.size(), 1u);
  const StaticSolution first = StaticReduction(linkage.system, found).solve(linkage.f, linkage.b);
  found.blocks[0].is_far_by_form = !found.blocks[0].is_far_by_form;
  const StaticSolution second = StaticReduction(linkage.system, found).solve(linkage.f, linkage.b);
  for (const double y : {0.2, 1.6, 1.71}) {
    const std::vector<double> values{0.3, y, 1.7, 1.5, 1.1};
    EXPECT_EQ(evaluate(first, linkage.inputs, values).is_accepted,
              evaluate(second, linkage.inputs, values).is_accepted);
  }
}

TEST(SpeedBlocks, AreNoneWhereRowsAreAllButDependent) {
  const EntrySystem entries(3, 2);
  Matrix A(2, 3);
  A << 1.0, 0.5, 0.2, 1.0, 0.5, 0.2 + 1e-3;
  const std::vector<Matrix> M{Matrix::Identity(3, 3)}, As{A};
  EXPECT_TRUE(find_speed_blocks(entries.system.A, M, As).is_empty());
}

TEST(SpeedBlocks, AreNoneWhereASpeedHasNoInertia) {
  const EntrySystem entries(2, 1);
  const std::vector<Matrix> M{Matrix(Vector::Unit(2, 0).asDiagonal())}, A{Matrix::Ones(1, 2)};
  EXPECT_TRUE(find_speed_blocks(entries.system.A, M, A).is_empty());
}

}  // namespace
}  // namespace vinculum::solve
