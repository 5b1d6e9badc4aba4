#include "vinculum/expr/series.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace vinculum::expr {
namespace {

/// x(t) and y(t) with exact derivatives; their values are in the domain of every operation.
Series x_at(double t) {
  const double s = 0.2 * std::sin(t), c = 0.2 * std::cos(t);
  return Series::along(std::array<Rounded, 5>{0.4 + s, c, -s, -c, s});
}
Series y_at(double t) { return Series::along(std::array<Rounded, 5>{0.7 + 0.1 * t * t, 0.2 * t, 0.2, 0.0, 0.0}); }

/// Compares each derivative with central differences of the next lower derivative.
void expect_derivatives(const std::function<Series(double)>& at, const std::string& name, int highest = 4) {
  const double t = 0.3, step = 1e-4;
  for (int order = 1; order <= highest; ++order) {
    const double before = at(t - step).derivative(order - 1).value, after = at(t + step).derivative(order - 1).value;
    const double expected = (after - before) / (2.0 * step);
    EXPECT_NEAR(at(t).derivative(order).value, expected, 1e-6 * (1.0 + std::abs(expected))) << name << ", " << order;
  }
}

Series applied(const OperationInfo& info, const Series& x, const Series& y) {
  return info.arity == 3 ? evaluate_series(info.op, 1.0, x, y) : evaluate_series(info.op, x, y);
}

TEST(Series, EveryOperationHasTheDerivativesOfItsValue) {
  for (const OperationInfo& info : operation_table()) {
    if (info.arity == 0 || info.op == Op::kTable) continue;
    const double x = x_at(0.3).value().value, y = y_at(0.3).value().value;
    const std::string name = std::string(info.name) + std::string(info.infix);
    EXPECT_EQ(applied(info, x_at(0.3), y_at(0.3)).value().value,
              info.arity == 3 ? x : evaluate_operation(info.op, x, y))
        << name;
    expect_derivatives([&info](double t) { return applied(info, x_at(t), y_at(t)); }, name);
  }
}

TEST(Series, ASplineIsDifferentiatedThroughItsPieces) {
  const Spline spline("cam", {0.0, 0.35, 0.5, 0.9, 1.4}, {1.0, 0.2, 0.8, -1.0, 2.0});
  expect_derivatives([&spline](double t) { return evaluate_series(spline, 0, x_at(t)); }, "table", 3);
}

TEST(Series, PowersAreThoseOfAPolynomialAtZeroToo) {
  const Series s = Series::power_of_time(1, 5), cube = evaluate_series(Op::kPower, s, 3.0);
  EXPECT_EQ(cube.derivative(3).value, 6.0);
  EXPECT_EQ(cube.derivative(0).value, 0.0);
  EXPECT_EQ(cube.derivative(4).value, 0.0);
}

TEST(Series, ChangesGivePartialDerivativesAlongTheMotion) {
  // For F = x² sin(y) along x(t), y(t): F_x = 2 x sin y, F_xy = 2 x cos y.
  const auto F = [](const Series& x, const Series& y) { return x * x * evaluate_series(Op::kSine, y); };
  const Series x = x_at(0.3), y = y_at(0.3);
  const Series by_x = F(x.changed(0, 1.0), y).by_change(0);
  const Series by_xy = F(x.changed(0, 1.0), y.changed(1, 1.0)).by_change(1).by_change(0);
  const Series expected_x = Series(2.0) * x * evaluate_series(Op::kSine, y),
               expected_xy = Series(2.0) * x * evaluate_series(Op::kCosine, y);
  for (int k = 0; k < 5; ++k) {
    EXPECT_NEAR(by_x.derivative(k).value, expected_x.derivative(k).value, 1e-15) << k;
    EXPECT_NEAR(by_xy.derivative(k).value, expected_xy.derivative(k).value, 1e-15) << k;
  }
}

TEST(Series, KnowsNoMoreThanTheMotion) {
  const Rounded lambda(3.0);
  const Series multiplier = Series::along({&lambda, 1});
  EXPECT_TRUE(std::isnan((multiplier * x_at(0.1)).derivative(1).value));
  EXPECT_TRUE(std::isnan(multiplier.rate().value().value));
  EXPECT_EQ(x_at(0.1).rate().known(), 4);
  EXPECT_EQ(Series(2.0).rate().value().value, 0.0);
}

TEST(Series, ErrorsBoundRoundingAndLittleMore) {
  // (1/3 + 1e6) − 1e6 is compared with 1/3, and the error of sin(x) is checked for an x with the error 1e-8.
  const Series third = Series(1.0) / Series(3.0), cancelled = (third + 1e6) - 1e6;
  const double miss = std::abs(cancelled.value().value - 1.0 / 3.0);
  EXPECT_GT(miss, 0.0);
  EXPECT_LE(miss, cancelled.value().error);
  EXPECT_LE(cancelled.value().error, 4e6 * tolerance::kRounding);
  const Series sine = evaluate_series(Op::kSine, Series(Rounded(0.5, 1e-8)));
  EXPECT_NEAR(sine.value().error, std::cos(0.5) * 1e-8, 1e-12);
}

TEST(Series, ErrorsScaleWithTheUnit) {
  // A change of the unit of length by a power of 2 changes no bit of the significands, so errors scale like values.
  const auto computed = [](double unit) {
    const Series x(0.3 * unit), y(0.7 * unit);
    return square_root(x * x + y * y) / (x + y) * x;
  };
  const double unit = std::ldexp(1.0, 20);
  EXPECT_EQ(computed(unit).value(), Rounded(unit * computed(1.0).value().value, unit * computed(1.0).value().error));
}

}  // namespace
}  // namespace vinculum::expr
