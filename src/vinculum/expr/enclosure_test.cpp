#include "vinculum/expr/enclosure.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace vinculum::expr {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// The bounds of an exponential's rates can be finite although their difference overflows.
TEST(Cone, OfRatesWhoseDifferenceOverflowsKnowsNothing) {
  const Interval range = cone(0.0, 0.0, {-1e308, 1.5e308}, 1e-3);
  EXPECT_TRUE(range.holds(1e304));
  EXPECT_TRUE(range.holds(-1e304));
}

TEST(Interval, HoldsWhatOperationsGive) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-3.0, 3.0), part(0.0, 1.0);
  for (const OperationInfo& info : operation_table()) {
    if (info.arity == 0 || info.op == Op::kTable) continue;
    for (int trial = 0; trial < 300; ++trial) {
      std::array<Interval, 3> operands;
      for (Interval& operand : operands) {
        const double from = uniform(random);
        operand = {from, from + std::pow(10.0, -4.0 * part(random))};
      }
      if (info.op == Op::kPower && trial % 2 == 0) operands[1] = {trial % 5 - 2.0, trial % 5 - 2.0};
      const Interval range = enclose_operation(info.op, operands[0], operands[1], operands[2]);
      for (int sample = 0; sample < 50; ++sample) {
        const auto at = [&](const Interval& x) { return std::min(x.hi, x.lo + x.width() * part(random)); };
        const double x = at(operands[0]), y = at(operands[1]), z = at(operands[2]);
        const double value = evaluate_operation(info.op, x, y, z);
        if (std::isnan(value)) continue;
        EXPECT_TRUE(range.holds(value)) << info.name << info.infix << " at " << x << ", " << y << ": " << value
                                        << " not in [" << range.lo << ", " << range.hi << "]";
      }
    }
  }
}

TEST(Interval, SlopesOfWholePowersAreBoundedAtZero) {
  for (const double n : {1.0, 2.0, 3.0, 4.0, 5.0}) {
    const Interval x = {-0.5, 0.25}, exponent = {n, n};
    const Interval slope = enclose_partial(Op::kPower, 0, enclose_operation(Op::kPower, x, exponent), x, exponent);
    for (const double at : {-0.5, -0.1, 0.0, 0.25}) EXPECT_TRUE(slope.holds(n * std::pow(at, n - 1.0))) << n;
    EXPECT_LE(slope.largest(), 1.01 * n * std::pow(0.5, n - 1.0)) << n;
  }
}

TEST(Interval, UnderflowIsNothing) {
  EXPECT_EQ(enclose_operation(Op::kExponential, {-2000.0, -1000.0}), Interval{});
  EXPECT_EQ((Interval{} * Interval::whole()), Interval{});
}

TEST(SplineRanges, AreThoseOfDenseSamples) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> x, y;
  for (int i = 0; i < 37; ++i) {
    x.push_back(i + 0.3 * uniform(random));
    y.push_back(uniform(random));
  }
  const Spline spline("some.csv", x, y);
  for (int order = 0; order <= 3; ++order) {
    const SplineRanges ranges(spline, order);
    for (int trial = 0; trial < 200; ++trial) {
      double from = x.front() + 17.0 * (1.0 + uniform(random)), to = x.front() + 17.0 * (1.0 + uniform(random));
      if (from > to) std::swap(from, to);
      const Interval range = ranges.over({from, to});
      double least = kInfinite, most = -kInfinite;
      for (int i = 0; i <= 4000; ++i) {
        const double value = spline.evaluate(std::min(to, from + (to - from) * i / 4000.0), order);
        EXPECT_TRUE(range.holds(value)) << order << " " << from << " " << to;
        least = std::min(least, value);
        most = std::max(most, value);
      }
      EXPECT_LE(range.width(), 1.2 * (most - least) + 0.1) << order << " " << from << " " << to;
    }
  }
  EXPECT_EQ(SplineRanges(spline, 0).over({-5.0, 3.0}), Interval::whole());
}

TEST(SplineRanges, HoldTheValuesOfEveryShape) {
  const std::vector<double> x = {-1.0, -0.4, 0.1, 0.9, 1.3, 2.0}, y = {0.5, 2.0, 2.0, 1.25, -3.0, 0.75};
  std::mt19937_64 random(5);
  for (const auto kind : {Spline::Kind::kSpline, Spline::Kind::kSmooth, Spline::Kind::kLinear, Spline::Kind::kHold})
    for (const auto reach : {Spline::Reach::kInside, Spline::Reach::kEndPieces, Spline::Reach::kPeriodic})
      for (int order = 0; order <= 2; ++order) {
        const Spline table("t", x, y, {kind, reach});
        const SplineRanges ranges(table, order);
        const bool ends = reach == Spline::Reach::kInside;
        std::uniform_real_distribution<double> uniform(ends ? -1.0 : -9.0, ends ? 2.0 : 9.0);
        for (int trial = 0; trial < 200; ++trial) {
          const auto [from, to] = std::minmax({uniform(random), uniform(random)});
          const Interval range = ranges.over({from, to});
          // A derivative above the one that jumps is unbounded at a point of the table.
          const bool is_bounded = kind == Spline::Kind::kSpline || order <= table.order_of_jump();
          EXPECT_TRUE(!is_bounded || std::isfinite(range.width()));
          for (int i = 0; i <= 500; ++i)
            EXPECT_TRUE(range.holds(table.evaluate(std::min(to, from + (to - from) * i / 500.0), order)))
                << static_cast<int>(kind) << " " << static_cast<int>(reach) << " " << order;
        }
      }
}

TEST(Cone, IsExactWhereAValueOnlyRises) {
  const Interval range = cone(1.0, 2.0, {0.0, 50.0}, 3.0);
  EXPECT_NEAR(range.lo, 1.0, 1e-14);
  EXPECT_NEAR(range.hi, 2.0, 1e-14);
  // The rate is between −1 and 1 per second. From 0 back to 0 within 2 s the value can reach at most 1.
  EXPECT_NEAR(cone(0.0, 0.0, {-1.0, 1.0}, 2.0).hi, 1.0, 1e-14);
}

/// Random expressions of t, x, y made of operations that are defined everywhere.
Expr random_expression(Graph& graph, std::mt19937_64& random, int depth) {
  std::uniform_int_distribution<int> choose(0, 15);
  const std::array<Expr, 3> leaves = {graph.symbol("t"), graph.symbol("x"), graph.symbol("y")};
  if (depth == 0) return leaves[static_cast<std::size_t>(choose(random)) % 3];
  const Expr a = random_expression(graph, random, depth - 1), b = random_expression(graph, random, depth - 1);
  switch (choose(random)) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return a / (1.0 + b * b);
    case 4: return sine(a);
    case 5: return graph.make(Op::kCosine, a);
    case 6: return graph.make(Op::kHyperbolicTangent, 5.0 * a);
    case 7: return graph.make(Op::kExponential, -1.0 * a * a);
    case 8: return absolute(a);
    case 9: return minimum(a, b);
    case 10: return maximum(a, b);
    case 11: return select(less(a, b), b, a + b);
    case 12: return graph.make(Op::kArcTangent, a);
    case 13: return square_root(1.0 + a * a);
    case 14: return power(a, 3.0);
    default: return graph.make(Op::kSign, a) * b;
  }
}

TEST(Enclosure, HoldsDenseSamplesOfRandomExpressions) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-2.0, 2.0);
    Graph graph;
    const Expr e = random_expression(graph, random, 4);
    const std::array<Expr, 3> symbols = {graph.symbol("t"), graph.symbol("x"), graph.symbol("y")};
    const Enclosure::Look look = {e, e};
    Enclosure enclosure(std::span(&e, 1), std::span(&look, 1), symbols, {});
    enclosure.bind({});
    const double t0 = uniform(random), h = std::pow(10.0, uniform(random) - 1.0);
    const double x0 = uniform(random), v = uniform(random), y0 = uniform(random), w = 3.0 * uniform(random);
    const auto at = [&](double s) { return std::array{t0 + s, x0 + v * s, y0 + std::sin(w * s)}; };
    const auto begin = at(0.0), end = at(h);
    const std::array<Jet, 3> jets = {Jet{t0, t0 + h, {t0, t0 + h}, {1.0, 1.0}},
                                     Jet{begin[1], end[1], Interval::between(begin[1], end[1]), {v, v}},
                                     Jet{begin[2], end[2], {y0 - 1.0, y0 + 1.0}, {-std::abs(w), std::abs(w)}}};
    enclosure.enclose(jets.data(), h);
    const Interval range = enclosure.jet(0).range;
    const double rounding = 1e-12 * (1.0 + (std::isfinite(range.largest()) ? range.largest() : 0.0));
    for (int i = 0; i <= 200; ++i) {
      const auto state = at(h * i / 200.0);
      enclosure.evaluate(state.data());
      const double value = enclosure.value(0);
      EXPECT_TRUE(value >= range.lo - rounding && value <= range.hi + rounding)
          << "seed " << seed << ": " << value << " not in [" << range.lo << ", " << range.hi << "]";
    }
  }
}

TEST(Enclosure, StaysTightWhereOneSymbolStandsTwice) {
  Graph graph;
  const Expr t = graph.symbol("t");
  const Expr e = (t + 1.0) * (t + 2.0) / (t + 3.0) - 0.1 * t;  // increases from 2/3 at t = 0
  const Enclosure::Look look = {e, e};
  Enclosure enclosure(std::span(&e, 1), std::span(&look, 1), std::span(&t, 1), {});
  enclosure.bind({});
  const Jet jet = {0.0, 0.5, {0.0, 0.5}, {1.0, 1.0}};
  enclosure.enclose(&jet, 0.5);
  EXPECT_NEAR(enclosure.jet(0).range.lo, enclosure.jet(0).a, 1e-14);
  EXPECT_NEAR(enclosure.jet(0).range.hi, enclosure.jet(0).b, 1e-14);
}

TEST(Enclosure, LooksAtNothingBehindABranchThatIsNotTaken) {
  Graph graph;
  const Expr t = graph.symbol("t"), side = graph.symbol("side");
  const Expr hidden = graph.make(Op::kExponential, 100.0 * t);
  const Expr e = select(side, sine(t), hidden);
  const Enclosure::Look look = {hidden, hidden};
  Enclosure enclosure(std::span(&e, 1), std::span(&look, 1), std::span(&t, 1), std::span(&side, 1));
  double value = 1.0;
  enclosure.bind(std::span(&value, 1));
  EXPECT_FALSE(enclosure.is_used(0));
  value = 0.0;
  enclosure.bind(std::span(&value, 1));
  EXPECT_TRUE(enclosure.is_used(0));
}

/// tan falls from ∞ to −∞ over its pole although its slope is positive, and atan2 jumps by 2π at its cut.
TEST(Enclosure, HoldsJumpsAtPolesAndCuts) {
  Graph graph;
  const Expr t = graph.symbol("t");
  const std::array<Expr, 4> jumping = {graph.make(Op::kTangent, t), 1.0 / (t - 1.5), power(t - 1.5, -1.0),
                                       graph.make(Op::kArcTangent2, t - 1.5, -2.0 - t)};
  for (const Expr e : jumping) {
    const Enclosure::Look look = {e, e};
    Enclosure enclosure(std::span(&e, 1), std::span(&look, 1), std::span(&t, 1), {});
    enclosure.bind({});
    const Jet jet = {1.0, 2.0, {1.0, 2.0}, {1.0, 1.0}};
    enclosure.enclose(&jet, 1.0);
    const Interval range = enclosure.jet(0).range;
    for (int i = 0; i <= 1000; ++i) {
      const double at = 1.0 + i / 1000.0;
      enclosure.evaluate(&at);
      EXPECT_TRUE(!std::isfinite(enclosure.value(0)) || range.holds(enclosure.value(0))) << at;
    }
  }
}

/// Binding changed symbols, and evaluating the nodes of one expression, give the bits of a new program.
TEST(Enclosure, GivesTheSameBitsAfterPartsOfItHaveChanged) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(-2.0, 2.0);
  Graph graph;
  const std::array<Expr, 3> symbols = {graph.symbol("t"), graph.symbol("x"), graph.symbol("y")};
  std::vector<Expr> fixed, equations;
  std::vector<Enclosure::Look> looks;
  for (int i = 0; i < 12; ++i) {
    fixed.push_back(graph.symbol("side " + std::to_string(i)));
    const Expr one = random_expression(graph, random, 3), two = random_expression(graph, random, 3);
    const Expr zero = graph.constant(0.0);
    equations.push_back(select(less(fixed.back(), zero), one, fixed.back() * two) +
                        (i > 0 ? fixed[0] * fixed.back() : zero));
    looks.push_back({equations.back(), equations.back()});
  }
  Enclosure kept(equations, looks, symbols, fixed);
  std::vector<double> values(fixed.size(), 1.0);
  Enclosure::Nodes nodes;
  for (int round = 0; round < 60; ++round) {
    values[static_cast<std::size_t>(round) % values.size()] = round % 7 == 0 ? uniform(random) : round % 2 - 0.5;
    kept.bind(values);
    Enclosure fresh(equations, looks, symbols, fixed);
    fresh.bind(values);
    const std::array<double, 3> at = {uniform(random), uniform(random), uniform(random)};
    std::array<Jet, 3> jets;
    for (std::size_t i = 0; i < 3; ++i) jets[i] = {at[i], at[i] + 0.1, {at[i], at[i] + 0.1}, {1.0, 1.0}};
    fresh.evaluate(at.data());
    fresh.enclose(jets.data(), 0.1);
    for (std::size_t look = 0; look < looks.size(); ++look) {
      kept.find_nodes(std::span(&look, 1), nodes);
      kept.evaluate(at.data(), nodes);
      kept.enclose(jets.data(), 0.1, nodes);
      const auto are_same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
      EXPECT_TRUE(are_same(kept.value(look), fresh.value(look))) << round << " " << look;
      EXPECT_EQ(kept.jet(look).range, fresh.jet(look).range) << round << " " << look;
      EXPECT_EQ(kept.jet(look).rate, fresh.jet(look).rate) << round << " " << look;
    }
  }
}

}  // namespace
}  // namespace vinculum::expr
