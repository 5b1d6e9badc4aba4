#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <complex>

#include "vinculum/integrate/integrator.hpp"
#include "vinculum/integrate/radau_scheme.hpp"

namespace vinculum::integrate {
namespace {

constexpr double kScheme = 1e-14;

TEST(RadauScheme, IsCollocationAndItsBasisSplitsItsInverse) {
  const RadauScheme& scheme = radau_scheme();
  for (int power = 0; power < 3; ++power) {
    for (int i = 0; i < 3; ++i) {
      double sum = 0.0;
      for (int j = 0; j < 3; ++j) sum += scheme.A(i, j) * std::pow(scheme.c[j], power);
      EXPECT_NEAR(sum, std::pow(scheme.c[i], power + 1) / (power + 1), kScheme);
    }
  }
  // The last row of A contains the weights. They are exact for polynomials up to degree 4.
  for (int power = 3; power < 5; ++power) {
    double sum = 0.0;
    for (int j = 0; j < 3; ++j) sum += scheme.A(2, j) * std::pow(scheme.c[j], power);
    EXPECT_NEAR(sum, 1.0 / (power + 1), kScheme);
  }
  Eigen::Matrix3d split = Eigen::Matrix3d::Zero();
  split(0, 0) = scheme.gamma;
  split.bottomRightCorner<2, 2>() << scheme.alpha, -scheme.beta, scheme.beta, scheme.alpha;
  EXPECT_LT((scheme.T_inverse * scheme.T - Eigen::Matrix3d::Identity()).norm(), 100.0 * kScheme);
  EXPECT_LT((scheme.T * split - scheme.A.inverse() * scheme.T).norm(), 1000.0 * kScheme);
}

TEST(CollocationPolynomial, GoesThroughTheStages) {
  CollocationPolynomial polynomial;
  const Matrix Z{{1.0, -2.0, 3.0}, {0.5, 0.25, 0.125}};
  polynomial.fit(Z);
  Vector gain;
  polynomial.evaluate(0.0, gain);
  EXPECT_EQ(gain.norm(), 0.0);
  for (int i = 0; i < 3; ++i) {
    polynomial.evaluate(radau_scheme().c[i], gain);
    EXPECT_LT((gain - Z.col(i)).norm(), 10.0 * kScheme);
  }
}

/// Problem of Prothero and Robinson: y' = −κ (y − cos t) − sin t, solution y = cos t.
Problem prothero_robinson(double kappa) {
  Problem problem;
  problem.size = 1;
  problem.reached = Vector::Ones(1);
  problem.derivative = [kappa](double t, const double* y, double* y_dot) -> Outcome<void> {
    y_dot[0] = -kappa * (y[0] - std::cos(t)) - std::sin(t);
    return {};
  };
  return problem;
}

TEST(Radau, TakesAsManyStepsHoweverStiffALinearProblemIs) {
  for (const double kappa : {1e2, 1e4, 1e6, 1e8, 1e10}) {
    double t = 0.0;
    Vector y{{1.0}};
    const auto done = integrate(prothero_robinson(kappa), {.method = "radau", .tolerance = 1e-8}, t, y, 10.0, {});
    ASSERT_TRUE(done);
    EXPECT_LT(std::abs(y[0] - std::cos(10.0)), 1e-7) << kappa;
    EXPECT_LT(done->steps, 120) << kappa;
  }
}

TEST(Radau, ForgetsAStartOffTheSlowMotion) {
  double t = 0.0;
  Vector y{{2.0}};
  const auto done = integrate(prothero_robinson(1e8), {.method = "radau", .tolerance = 1e-6}, t, y, 10.0, {});
  ASSERT_TRUE(done);
  EXPECT_LT(std::abs(y[0] - std::cos(10.0)), 1e-5);
  EXPECT_LT(done->steps, 150);
}

// Van der Pol's oscillator with ε = 1e-6 to t = 2 and the reference values of Hairer & Wanner II, IV.10.
TEST(Radau, FollowsVanDerPolThroughItsJump) {
  Problem problem;
  problem.size = 2;
  problem.stated = Vector{{2.0, 1.0}};
  problem.derivative = [](double, const double* y, double* y_dot) -> Outcome<void> {
    y_dot[0] = y[1];
    y_dot[1] = ((1.0 - y[0] * y[0]) * y[1] - y[0]) * 1e6;
    return {};
  };
  for (const double tolerance : {1e-6, 1e-8}) {
    double t = 0.0;
    Vector y{{2.0, -0.66}};
    const auto done = integrate(problem, {.method = "radau", .tolerance = tolerance}, t, y, 2.0, {});
    ASSERT_TRUE(done);
    EXPECT_LT(std::abs(y[0] - 1.706167732170483), 100.0 * tolerance) << tolerance;
    EXPECT_LT(std::abs(y[1] + 0.8928097010247975), 100.0 * tolerance) << tolerance;
    EXPECT_LT(done->steps, 6000) << tolerance;
  }
}

// Values displayed between steps are as accurate as the steps. Computing them does not change the steps.
TEST(Radau, IsTheSameMotionWhateverIsShownOfIt) {
  Vector y_end[2];
  long steps[2];
  double worst = 0.0;
  for (const bool is_shown : {false, true}) {
    double t = 0.0;
    Vector y{{1.0}}, shown;
    const auto done = integrate(prothero_robinson(1e4), {.method = "radau", .tolerance = 1e-9}, t, y, 10.0,
                                [&](const Step& step) -> Outcome<Continue> {
                                  for (const double part : {0.1, 0.5, 0.9}) {
                                    const double at = step.t_begin() + part * (step.t_end() - step.t_begin());
                                    if (is_shown && step.step_to(at, shown))
                                      worst = std::max(worst, std::abs(shown[0] - std::cos(at)));
                                  }
                                  return Continue::kYes;
                                });
    ASSERT_TRUE(done);
    y_end[is_shown ? 1 : 0] = y;
    steps[is_shown ? 1 : 0] = done->steps;
  }
  EXPECT_EQ(y_end[0], y_end[1]);
  EXPECT_EQ(steps[0], steps[1]);
  EXPECT_GT(worst, 0.0);
  EXPECT_LT(worst, 1e-6);  // a short step has only the order of its stages, so the internal tolerance applies
}

}  // namespace
}  // namespace vinculum::integrate
