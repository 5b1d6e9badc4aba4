#include "vinculum/solve/generated/static_ldlt.hpp"

#include <gtest/gtest.h>

#include "support/solve/symbolic_problems.hpp"

namespace vinculum::solve {
namespace {

TEST(StaticLdlt, AgreesWithThePivotedSolverOnRandomSystemsOfAllSizes) {
  int accepted = 0;
  int total = 0;
  for (int nu = 1; nu <= 8; ++nu) {
    for (int nc = 0; nc <= std::min(nu, 6); ++nc) {
      EntrySystem entries(nu, nc);
      const StaticSolution solution = StaticLdlt(entries.system, all_kept(nc)).solve(entries.f, entries.b, 1);
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(std::to_string(nu) + "x" + std::to_string(nc) + " seed " + std::to_string(seed));
        RandomEngine engine(seed);
        const RandomSystem s = numeric::random_system(engine, nu, nc);
        const Evaluated result = evaluate(solution, entries.inputs, entries.values(s));
        ++total;
        if (!result.is_accepted) continue;
        ++accepted;
        expect_solves(s, result);
      }
    }
  }
  EXPECT_GT(accepted, total * 95 / 100);
}

TEST(StaticLdlt, RefusesBeforeItsErrorGrowsNearSingularConfigurations) {
  const int nu = 12, nc = 6;
  EntrySystem entries(nu, nc);
  const StaticSolution solution = StaticLdlt(entries.system, all_kept(nc)).solve(entries.f, entries.b, 1);
  const StaticSolution plain = StaticLdlt(entries.system, all_kept(nc)).solve(entries.f, entries.b, 0);
  for (const double smallest : {1.0, 1e-1, 1e-2, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 1e-6, 1e-7, 1e-8, 1e-10, 1e-12}) {
    double worst = 0.0;
    double worst_uncorrected = 0.0;
    int accepted = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      RandomEngine engine(seed);
      const RandomSystem s = numeric::random_system_with_singular_values(engine, nu, nc, smallest);
      const Vector reference = by_pivots(s).u;
      const Evaluated result = evaluate(solution, entries.inputs, entries.values(s));
      const Evaluated without = evaluate(plain, entries.inputs, entries.values(s));
      const double error = relative_error(result.u, reference);
      if (result.is_accepted) {
        ++accepted;
        worst = std::max(worst, error);
      }
      if (without.is_accepted) worst_uncorrected = std::max(worst_uncorrected, relative_error(without.u, reference));
    }
    RecordProperty("accepted at " + std::to_string(smallest), accepted);
    RecordProperty("worst error at " + std::to_string(smallest), std::to_string(worst));
    EXPECT_LT(worst, 1e-11) << "s = " << smallest;
    EXPECT_LT(worst_uncorrected, 1e-8) << "s = " << smallest;
    EXPECT_GE(accepted, smallest >= 1e-3 ? 20 : 0) << "s = " << smallest;
    EXPECT_LE(accepted, smallest <= 1e-6 ? 0 : 20) << "s = " << smallest;
  }
}

TEST(StaticLdlt, TakesFewOperationsForParticles) {
  const Pucks pucks;
  const Cost of_pucks = cost_of(StaticLdlt(pucks.system, all_kept(1)).solve(pucks.f, pucks.b, 3), pucks.parameters);
  EXPECT_LE(of_pucks.operations, 46);
  EXPECT_EQ(of_pucks.divisions, 1);
  const DoublePendulum once(1);
  const Cost of_once = cost_of(StaticLdlt(once.system, all_kept(2)).solve(once.f, once.b, 3), once.parameters);
  EXPECT_LE(of_once.operations, 114);  // 4 of these compute the tolerance for the residual of the second row
  EXPECT_EQ(of_once.divisions, 2);
  RecordProperty("pucks", of_pucks.operations);
  RecordProperty("double pendulum", of_once.operations);

  const DoublePendulum thrice(3);
  const auto structure =
      analyze_structure(thrice.system, thrice.b, thrice.all_inputs(), DoublePendulum::random_states(1, 6));
  EXPECT_EQ(structure.representative, (std::vector<int>{0, 1, 0, 1, 0, 1}));
  const Cost of_thrice = cost_of(StaticLdlt(thrice.system, structure).solve(thrice.f, thrice.b, 3), thrice.parameters);
  EXPECT_EQ(of_thrice.operations, of_once.operations);  // rows written as multiples need no operations
}

TEST(StaticLdlt, DividesByNothingThatVariesForABladeInAPlane) {
  Graph graph;
  const Expr angle = graph.symbol("angle"), w = graph.symbol("w"), m = graph.symbol("m"), J = graph.symbol("J"),
             a = graph.symbol("a"), zero = graph.constant(0.0);
  const SymbolicSystem system{
      3, {m, zero, zero, zero, m, zero, zero, zero, J}, {std::vector{-sine(angle), cosine(angle), -a}}};
  const std::vector<Expr> f(3, zero), b{w}, parameters{m, J, a};
  const StaticSolution solution = StaticLdlt(system, all_kept(1)).solve(f, b, 3);
  EXPECT_EQ(cost_of(solution, parameters).divisions, 0);
  const std::vector<Expr> inputs{angle, w, m, J, a};
  for (const double at : {0.0, 0.4, 1.9, -2.7}) {
    const std::vector<double> values{at, 0.7, 1.3, 0.5, 0.25};
    const Evaluated result = evaluate(solution, inputs, values);
    EXPECT_TRUE(result.is_accepted);
    EXPECT_LT(relative_error(result.u, by_pivots(numbers(system, f, b, inputs, values)).u), 1e-15);
  }
}

TEST(StaticLdlt, ARowOverOneInertiaTakesNoCorrection) {
  for (const bool is_one : {true, false}) {
    EntrySystem entries(3, 1, true);
    if (is_one) entries.system.M[4] = entries.system.M[8] = entries.system.M[0];
    const StaticLdlt ldlt(entries.system, all_kept(1));
    const StaticSolution solution = ldlt.solve(entries.f, entries.b, 1);
    // Equal expressions are the same nodes of the graph.
    EXPECT_EQ(solution.u == ldlt.solve(entries.f, entries.b, 0).u, is_one);
    EXPECT_TRUE(solution.residual.is_zero());
    RandomEngine engine(7);
    for (int repetition = 0; is_one && repetition < 200; ++repetition) {
      RandomSystem s = numeric::random_system(engine, 3, 1);
      s.M = s.M(0, 0) * Matrix::Identity(3, 3);
      const Evaluated result = evaluate(solution, entries.inputs, entries.values(s));
      EXPECT_TRUE(result.is_accepted);
      expect_solves(s, result);
      EXPECT_LT(std::abs((s.A * result.u - s.b)[0]), 2e-15 * s.A.norm() * (s.f.norm() / s.M(0, 0) + result.u.norm()));
    }
  }
  // Rows that share a speed need a correction, whatever the inertias.
  EntrySystem two(3, 2, true);
  two.system.M[4] = two.system.M[8] = two.system.M[0];
  const StaticLdlt ldlt(two.system, all_kept(2));
  EXPECT_FALSE(ldlt.solve(two.f, two.b, 1).u == ldlt.solve(two.f, two.b, 0).u);
}

TEST(StaticLdlt, AlikeInertiasOfOneDimensionNeedNoCorrection) {
  Pucks pucks;
  // Without dimensions of the speeds there is no valid guard.
  EXPECT_FALSE(StaticLdlt(pucks.system, all_kept(1)).uncorrected_guard().is_valid());
  pucks.system.kind = {0, 0, 1, 1};
  EXPECT_FALSE(StaticLdlt(pucks.system, all_kept(1)).uncorrected_guard().is_valid());
  pucks.system.kind = {0, 0, 0, 0};
  const StaticLdlt ldlt(pucks.system, all_kept(1));
  StaticSolution solution = ldlt.solve(pucks.f, pucks.b, 0);
  const Expr guard = ldlt.uncorrected_guard();
  ASSERT_TRUE(guard.is_valid());
  solution.contraction = maximum(solution.contraction, guard);
  EXPECT_LE(cost_of(solution, pucks.parameters).operations, 27);
  std::vector<Expr> inputs = pucks.inputs;
  inputs.insert(inputs.end(), pucks.parameters.begin(), pucks.parameters.end());
  RandomEngine engine(3);
  for (const double ratio : {0.05, 0.11, 0.5, 1.0, 3.0, 9.5, 11.0, 1e6}) {
    for (int repetition = 0; repetition < 50; ++repetition) {
      const Vector v = numeric::random_vector(engine, 4);
      std::vector<double> values(v.begin(), v.end());
      values.insert(values.end(), {0.7, 0.7 * ratio});
      const Evaluated result = evaluate(solution, inputs, values);
      EXPECT_EQ(result.is_accepted, ratio > 0.1 && ratio < 10.0) << ratio;
      if (result.is_accepted) expect_solves(numbers(pucks.system, pucks.f, pucks.b, inputs, values), result);
    }
  }
  // `uncorrected_guard` is not valid if rows share a speed, or if no row needs a correction.
  DoublePendulum pendulum(1);
  pendulum.system.kind = {0, 0, 0, 0};
  EXPECT_FALSE(StaticLdlt(pendulum.system, all_kept(2)).uncorrected_guard().is_valid());
  pucks.system.M[10] = pucks.system.M[15] = pucks.system.M[0];
  EXPECT_FALSE(StaticLdlt(pucks.system, all_kept(1)).uncorrected_guard().is_valid());
}

TEST(StaticLdlt, IsAcceptedWhereNothingLoadsARow) {
  // The first row acts along x on a body that only the second row loads. The residual of the first row is a rounding
  // error.
  Graph graph;
  const Expr zero = graph.constant(0.0), one = graph.constant(1.0);
  const std::vector<Expr> inputs = {graph.symbol("s"), graph.symbol("c"), graph.symbol("g")};
  const SymbolicSystem system{3,
                              {one, zero, zero, zero, one, zero, zero, zero, one},
                              {std::vector{one, zero, inputs[0]}, std::vector{zero, one, inputs[1]}}};
  const std::vector<Expr> f{zero, inputs[2], zero}, b(2, zero);
  const StaticSolution solution = StaticLdlt(system, all_kept(2)).solve(f, b, 1);
  RandomEngine engine(5);
  for (int repetition = 0; repetition < 200; ++repetition) {
    const Vector chosen = numeric::random_vector(engine, 3);
    const std::vector<double> values(chosen.begin(), chosen.end());
    const Evaluated result = evaluate(solution, inputs, values);
    EXPECT_TRUE(result.is_accepted) << repetition;
    EXPECT_LT(relative_error(result.u, by_pivots(numbers(system, f, b, inputs, values)).u), 1e-13);
  }
}

TEST(StaticLdlt, MovesTheDoublePendulumAlikeWithEveryRodStatedThreeTimes) {
  for (const bool has_factors_as_parameters : {false, true}) {
    const DoublePendulum pendulum(3, has_factors_as_parameters);
    const auto inputs = pendulum.all_inputs();
    const auto structure = analyze_structure(pendulum.system, pendulum.b, inputs, DoublePendulum::random_states(1, 6));
    EXPECT_EQ(structure.generic_rank, 2);
    EXPECT_FALSE(structure.is_mass_singular);
    const StaticSolution solution = StaticLdlt(pendulum.system, structure).solve(pendulum.f, pendulum.b, 1);
    for (const auto& state : DoublePendulum::random_states(2, 100)) {
      const Evaluated result = evaluate(solution, inputs, state);
      EXPECT_TRUE(result.is_accepted);
      const Solution reference = by_pivots(numbers(pendulum.system, pendulum.f, pendulum.b, inputs, state));
      EXPECT_LT(relative_error(result.u, reference.u), 1e-11);
      // Both have the least norm for rows of unit length.
      EXPECT_LT(relative_error(result.lambda, reference.lambda), 1e-11);
    }
  }
}

TEST(StaticLdlt, IsAcceptedWhateverTheUnitsOfRows) {
  // Rows (x − y, y, x), each multiplied by a power of ten up to 10^±20. The last row depends on the others.
  RandomEngine engine(11);
  for (int repetition = 0; repetition < 50; ++repetition) {
    Graph graph;
    const std::vector<Expr> inputs = {graph.symbol("m"), graph.symbol("F")};
    const Expr zero = graph.constant(0.0);
    const auto unit = [&] { return std::pow(10.0, static_cast<int>(engine() % 41) - 20); };
    const double a = unit(), b = unit(), c = unit();
    SymbolicSystem system;
    system.nu = 3;
    system.M = {inputs[0], zero, zero, zero, inputs[0], zero, zero, zero, inputs[0]};
    system.A = {std::vector{graph.constant(a), graph.constant(-a), zero}, std::vector{zero, graph.constant(b), zero},
                std::vector{graph.constant(c), zero, zero}};
    const std::vector<Expr> f(3, inputs[1]);
    const std::vector<Expr> r_b = {graph.constant(a), graph.constant(2.0 * b), graph.constant(3.0 * c)};
    const std::vector<std::vector<double>> states = {{2.0, 5.0}, {3.0, -7.0}};
    const StaticStructure structure = analyze_structure(system, r_b, inputs, states);
    EXPECT_EQ(structure.generic_rank, 2);
    const Evaluated result = evaluate(StaticLdlt(system, structure).solve(f, r_b, 1), inputs, states[0]);
    EXPECT_TRUE(result.is_accepted) << a << " " << b << " " << c;
    EXPECT_LT((result.u - Vector(Eigen::Vector3d(3.0, 2.0, 2.5))).norm(), 1e-13) << a << " " << b << " " << c;
  }
}

TEST(StaticLdlt, AcceptsTheDoublePendulumHangingAtRest) {
  const DoublePendulum pendulum(1);
  const StaticSolution solution = StaticLdlt(pendulum.system, all_kept(2)).solve(pendulum.f, pendulum.b, 1);
  const std::vector<double> at_rest = {0.0, -1.0, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 9.81, 1.0};
  const Evaluated result = evaluate(solution, pendulum.all_inputs(), at_rest);
  EXPECT_TRUE(result.is_accepted);
  EXPECT_NEAR(result.u.norm(), 0.0, 1e-15);
  // The gradients have length 2, so λ is half of the force in a rod. The upper rod carries both weights.
  EXPECT_NEAR(result.lambda[0], -2.0 * 9.81 / 2.0, 1e-14);
  EXPECT_NEAR(result.lambda[1], -9.81 / 2.0, 1e-14);
}

TEST(StaticLdlt, KeepsItsDigitsForALightCoordinateCarriedAlong) {
  // The row requires u1 = 2 u0. M⁻¹ f is larger than the solution by the ratio of the masses.
  EntrySystem entries(2, 1, true);
  const StaticSolution solution = StaticLdlt(entries.system, all_kept(1)).solve(entries.f, entries.b, 1);
  for (const double light : {1e-3, 1e-6, 1e-9, 1e-12}) {
    RandomSystem s;
    s.M = (Vector(2) << 2.0, light).finished().asDiagonal();
    s.A = (Matrix(1, 2) << 1.0, -0.5).finished();
    s.f = (Vector(2) << 1.0, 0.4).finished();
    s.b = Vector::Zero(1);
    const Evaluated result = evaluate(solution, entries.inputs, entries.values(s));
    const double exact = (1.0 + 2.0 * 0.4) / (2.0 + 4.0 * light);
    ASSERT_TRUE(result.is_accepted);
    EXPECT_NEAR(result.u[0], exact, 1e-14) << light;
    EXPECT_NEAR(result.u[1], 2.0 * exact, 1e-14) << light;
    // In the pivoted solver, terms as large as 1/√light cancel.
    EXPECT_NEAR(by_pivots(s).u[1], 2.0 * exact, 1e-14 + 3e-16 / std::sqrt(light)) << light;
  }
}

TEST(StaticLdlt, AcceptsAMasslessCoordinateThatFollowsWithoutForce) {
  // A particle on a massless rod, pushed by a second row. The first row exerts no force, so its terms are only rounding
  // errors.
  Graph graph;
  const Expr m = graph.symbol("m"), slope = graph.symbol("slope"), w = graph.symbol("w"), zero = graph.constant(0.0),
             one = graph.constant(1.0);
  SymbolicSystem system;
  system.nu = 3;
  system.M = {m, zero, zero, zero, m, zero, zero, zero, zero};
  system.A = {std::vector{-slope, one, -one}, std::vector{graph.constant(-0.5), zero, zero}};
  const std::vector<Expr> f = {zero, zero, zero}, b = {zero, -w}, inputs = {m, slope, w};
  const std::vector<std::vector<double>> states = {{1.0, 0.577, 0.3}, {1.0, 0.577, -0.7}};
  const StaticStructure structure = analyze_structure(system, b, inputs, states);
  ASSERT_TRUE(structure.is_mass_singular);
  const StaticSolution solution = StaticLdlt(system, structure).solve(f, b, 1);
  for (const double speed : {0.7, 0.31, -1.3, 0.011}) {
    const Evaluated result = evaluate(solution, inputs, std::vector<double>{1.0, 0.577, speed});
    EXPECT_TRUE(result.is_accepted);
    EXPECT_NEAR(result.u[0], 2.0 * speed, 1e-15);
    EXPECT_NEAR(result.u[1], 0.0, 1e-15);
    EXPECT_NEAR(result.u[2], -0.577 * 2.0 * speed, 1e-15);
    EXPECT_NEAR(result.lambda[0], 0.0, 1e-15);
    EXPECT_NEAR(result.lambda[1], -4.0 * speed, 1e-14);
  }
}

TEST(StaticLdlt, RefusesContradictoryRowsAlsoWhenParametersMakeThemSo) {
  // The second row has parameters instead of numbers. It is a multiple of the first row only if k = 2 and c = 2 d.
  Graph graph;
  const Expr x = graph.symbol("x"), k = graph.symbol("k"), c = graph.symbol("c"), d = graph.symbol("d");
  SymbolicSystem system;
  system.nu = 2;
  system.M = {graph.constant(1.0), graph.constant(0.0), graph.constant(0.0), graph.constant(3.0)};
  system.A = {std::vector{x, graph.constant(1.0)}, std::vector{k * x, graph.constant(2.0)}};
  const std::vector<Expr> f = {graph.constant(1.0), graph.constant(-1.0)}, b = {d, c}, inputs = {x, k, c, d};
  const std::vector<std::vector<double>> states = {{0.3, 2.0, 3.0, 1.5}, {-0.8, 2.0, 3.0, 1.5}, {1.2, 2.0, 3.0, 1.5}};
  const StaticStructure structure = analyze_structure(system, b, inputs, states);
  EXPECT_EQ(structure.representative, (std::vector<int>{0, 0}));
  EXPECT_EQ(structure.factor[1], 2.0);
  const StaticSolution solution = StaticLdlt(system, structure).solve(f, b, 1);
  EXPECT_TRUE(evaluate(solution, inputs, std::vector<double>{0.5, 2.0, 3.0, 1.5}).is_accepted);
  EXPECT_FALSE(evaluate(solution, inputs, std::vector<double>{0.5, 2.0, 3.1, 1.5}).is_accepted);
  EXPECT_FALSE(evaluate(solution, inputs, std::vector<double>{0.5, 2.1, 3.0, 1.5}).is_accepted);
}

TEST(StaticLdlt, RefusesWhatIsNotFiniteAndGradientsThatVanish) {
  EntrySystem entries(3, 2);
  const StaticSolution solution = StaticLdlt(entries.system, all_kept(2)).solve(entries.f, entries.b, 1);
  RandomEngine engine(3);
  const RandomSystem good = numeric::random_system(engine, 3, 2);
  ASSERT_TRUE(evaluate(solution, entries.inputs, entries.values(good)).is_accepted);
  const double nan = std::nan("");
  const auto is_refused = [&](auto spoil) {
    RandomSystem bad = good;
    spoil(bad);
    return !evaluate(solution, entries.inputs, entries.values(bad)).is_accepted;
  };
  EXPECT_TRUE(is_refused([&](RandomSystem& s) { s.b[0] = nan; }));
  EXPECT_TRUE(is_refused([&](RandomSystem& s) { s.b[1] = INFINITY; }));
  EXPECT_TRUE(is_refused([&](RandomSystem& s) { s.f[2] = nan; }));
  EXPECT_TRUE(is_refused([&](RandomSystem& s) { s.A(1, 1) = nan; }));
  EXPECT_TRUE(is_refused([&](RandomSystem& s) { s.M(0, 0) = nan; }));
  EXPECT_TRUE(is_refused([&](RandomSystem& s) { s.A.row(0).setZero(); }));
  EXPECT_TRUE(is_refused([&](RandomSystem& s) { s.A.row(1).setZero(); }));
  EXPECT_TRUE(is_refused([&](RandomSystem& s) { s.A.setZero(); }));
  EXPECT_TRUE(is_refused([&](RandomSystem& s) { s.A.row(1) = 0.7 * s.A.row(0); }));
  EXPECT_TRUE(is_refused([&](RandomSystem& s) { s.M(0, 0) = 0.0; }));
  EXPECT_TRUE(is_refused([&](RandomSystem& s) { s.M = -s.M; }));
  EXPECT_TRUE(is_refused([&](RandomSystem& s) { s.M.setOnes(); }));  // a singular matrix
}

TEST(StaticLdlt, NeverAcceptsWhatNothingDetermines) {
  Graph graph;
  const Expr x = graph.symbol("x"), zero = graph.constant(0.0);
  SymbolicSystem system;
  system.nu = 2;
  system.M = {graph.constant(1.0), zero, zero, zero};
  system.A = {std::vector{x, zero}};
  const std::vector<Expr> f = {zero, zero}, b = {zero}, inputs = {x};
  const std::vector<std::vector<double>> states = {{0.4}, {1.4}};
  const StaticSolution solution = StaticLdlt(system, analyze_structure(system, b, inputs, states)).solve(f, b, 1);
  EXPECT_FALSE(evaluate(solution, inputs, std::vector<double>{0.4}).is_accepted);
}

TEST(StaticLdlt, ServesProjectionsWhoseDefectIsRounding) {
  EntrySystem entries(5, 3);
  const StaticSolution solution = StaticLdlt(entries.system, all_kept(3)).solve(entries.f, entries.b, 1);
  RandomEngine engine(5);
  for (int trial = 0; trial < 100; ++trial) {
    RandomSystem s = numeric::random_system(engine, 5, 3);
    s.f.setZero();
    s.b = 1e-17 * numeric::random_vector(engine, 3);
    s.b[trial % 3] = 0.0;
    const Evaluated result = evaluate(solution, entries.inputs, entries.values(s));
    if (!result.is_accepted) continue;
    EXPECT_LT((s.A * result.u - s.b).norm(), 1e-13 * s.b.norm());
  }
  RandomSystem s = numeric::random_system(engine, 5, 3);
  s.f.setZero();
  s.b.setZero();
  const Evaluated nothing = evaluate(solution, entries.inputs, entries.values(s));
  EXPECT_TRUE(nothing.is_accepted);
  EXPECT_EQ(nothing.u.norm(), 0.0);
}

TEST(StaticLdlt, AgreesWithThePivotedSolverWhateverIsAcceptedAmongRepeatedAndNearlyDependentRows) {
  int accepted = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomEngine engine(seed);
    const int nu = 2 + static_cast<int>(engine() % 7);
    const int base = 1 + static_cast<int>(engine() % static_cast<std::uint64_t>(std::min(nu, 3)));
    const int nc = std::min(6, 2 * base);
    EntrySystem entries(nu, base);
    // Adds rows that are constant multiples or constant combinations of earlier rows, as expressions.
    const Matrix mix = numeric::random_matrix(engine, nc - base, base);
    for (int i = base; i < nc; ++i) {
      std::vector<Expr> row;
      Expr right = entries.graph.constant(0.0);
      const int only = engine() % 2 == 0 ? static_cast<int>(engine() % static_cast<std::uint64_t>(base)) : -1;
      for (int j = 0; j < nu; ++j) {
        Expr sum = entries.graph.constant(0.0);
        for (int k = 0; k < base; ++k) {
          if (only < 0 || only == k)
            sum += mix(i - base, k) * entries.system.A[static_cast<std::size_t>(k)][static_cast<std::size_t>(j)];
        }
        row.push_back(sum);
      }
      for (int k = 0; k < base; ++k) {
        if (only < 0 || only == k) right += mix(i - base, k) * entries.b[static_cast<std::size_t>(k)];
      }
      entries.system.A.push_back(row);
      entries.b.push_back(right);
    }
    std::vector<std::vector<double>> states;
    for (int i = 0; i < 4; ++i) states.push_back(entries.values(numeric::random_system(engine, nu, base)));
    const StaticStructure structure = analyze_structure(entries.system, entries.b, entries.inputs, states);
    EXPECT_EQ(structure.generic_rank, base);
    const StaticSolution solution = StaticLdlt(entries.system, structure).solve(entries.f, entries.b, 1);
    for (int trial = 0; trial < 20; ++trial) {
      const double smallest = std::pow(10.0, -static_cast<double>(trial % 12));
      const RandomSystem small = numeric::random_system_with_singular_values(engine, nu, base, smallest);
      const std::vector<double> values = entries.values(small);
      const Evaluated result = evaluate(solution, entries.inputs, values);
      if (!result.is_accepted) continue;
      ++accepted;
      const RandomSystem s = numbers(entries.system, entries.f, entries.b, entries.inputs, values);
      const Solution reference = by_pivots(s);
      // Rows that are combinations of others contain the rounding errors of the longest row, which is 1/s times as long
      // as the shortest.
      EXPECT_LT(relative_error(result.u, reference.u), 1e-11 + 1e-15 / smallest) << "s = " << smallest;
      EXPECT_LT(relative_error(s.A.transpose() * result.lambda + s.f, reference.Q + s.f), 1e-9) << "s = " << smallest;
    }
  }
  EXPECT_GT(accepted, 300);
}

}  // namespace
}  // namespace vinculum::solve
