#include "vinculum/expr/spline.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "vinculum/base/contract.hpp"

namespace vinculum::expr {
namespace {

const std::vector<double> kKnots{-1.0, -0.4, 0.1, 0.9, 1.3, 2.0};

template <class F>
std::vector<double> sampled(const std::vector<double>& x, F f) {
  std::vector<double> y;
  for (const double at : x) y.push_back(f(at));
  return y;
}

TEST(Spline, ReproducesCubicsWithAllDerivatives) {
  const auto f = [](double x) { return 2.0 - x + 3.0 * x * x - 0.5 * x * x * x; };
  const Spline spline("cubic", kKnots, sampled(kKnots, f));
  for (double x = -1.0; x <= 2.0; x += 0.01) {
    EXPECT_NEAR(spline.evaluate(x, 0), f(x), 1e-13);
    EXPECT_NEAR(spline.evaluate(x, 1), -1.0 + 6.0 * x - 1.5 * x * x, 1e-13);
    EXPECT_NEAR(spline.evaluate(x, 2), 6.0 - 3.0 * x, 1e-12);
    EXPECT_NEAR(spline.evaluate(x, 3), -3.0, 1e-11);
  }
}

TEST(Spline, IsTheInterpolatingPolynomialOfTwoOrThreePoints) {
  const Spline line("line", {1.0, 3.0}, {2.0, 6.0});
  EXPECT_EQ(line.evaluate(2.5, 0), 5.0);
  EXPECT_EQ(line.evaluate(2.5, 1), 2.0);
  EXPECT_EQ(line.evaluate(2.5, 2), 0.0);
  const Spline parabola("parabola", {0.0, 1.0, 3.0}, {1.0, 2.0, 10.0});  // the parabola 1 + x²
  EXPECT_NEAR(parabola.evaluate(2.0, 0), 5.0, 1e-14);
  EXPECT_NEAR(parabola.evaluate(0.5, 1), 1.0, 1e-14);
  EXPECT_NEAR(parabola.evaluate(2.5, 2), 2.0, 1e-14);
}

TEST(Spline, IsTwiceContinuouslyDifferentiableAndMeetsItsPoints) {
  const std::vector<double> y = sampled(kKnots, [](double x) { return std::exp(std::sin(3.0 * x)); });
  const Spline spline("smooth", kKnots, y);
  for (std::size_t k = 0; k < kKnots.size(); ++k) EXPECT_NEAR(spline.evaluate(kKnots[k], 0), y[k], 1e-13);
  for (std::size_t k = 1; k + 1 < kKnots.size(); ++k) {
    const double before = std::nextafter(kKnots[k], -9.0);
    for (int order = 0; order <= 2; ++order) {
      EXPECT_NEAR(spline.evaluate(before, order), spline.evaluate(kKnots[k], order), 1e-11)
          << kKnots[k] << " order " << order;
    }
  }
  // Not-a-knot ends: the third derivative is continuous at the second and the last but one point.
  EXPECT_NEAR(spline.evaluate(-0.5, 3), spline.evaluate(0.0, 3), 1e-10);
  EXPECT_NEAR(spline.evaluate(1.2, 3), spline.evaluate(1.5, 3), 1e-10);
}

TEST(Spline, ConvergesWithFourthOrder) {
  const auto error = [](int n) {
    std::vector<double> x;
    for (int i = 0; i <= n; ++i) x.push_back(3.0 * i / n);
    const Spline spline("sine", x, sampled(x, [](double at) { return std::sin(at); }));
    double worst = 0.0;
    for (double at = 1.0; at <= 2.0; at += 0.001)  // far from the ends of the range
      worst = std::max(worst, std::fabs(spline.evaluate(at, 0) - std::sin(at)));
    return worst;
  };
  EXPECT_NEAR(std::log2(error(40) / error(80)), 4.0, 0.1);
}

TEST(Spline, IsNotANumberOutsideItsRange) {
  const Spline spline("range", {0.0, 1.0}, {0.0, 1.0});
  EXPECT_EQ(spline.evaluate(0.0, 0), 0.0);
  EXPECT_EQ(spline.evaluate(1.0, 0), 1.0);
  for (const double x : {-1e-12, 1.0 + 1e-12, std::nan("")}) EXPECT_TRUE(std::isnan(spline.evaluate(x, 0))) << x;
  EXPECT_EQ(spline.evaluate(0.5, 4), 0.0);
}

TEST(Spline, RefusesKnotsThatDoNotIncrease) {
  EXPECT_THROW(Spline("bad", {0.0, 0.0}, {1.0, 2.0}), InternalError);
  EXPECT_THROW(Spline("bad", {0.0}, {1.0}), InternalError);
  EXPECT_THROW(Spline("bad", {0.0, 1.0}, {1.0}), InternalError);
}

}  // namespace
}  // namespace vinculum::expr
