#include "vinculum/integrate/integrator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "support/integrate/kepler.hpp"
#include "support/integrate/shorthands.hpp"
#include "vinculum/base/contract.hpp"

namespace vinculum::integrate {
namespace {

using testing::kNoCallback;

template <class F>
Problem make_problem(int size, F f) {
  Problem problem;
  problem.size = size;
  problem.derivative = [f](double t, const double* y, double* y_dot) -> Outcome<void> {
    f(t, y, y_dot);
    return {};
  };
  problem.reached = Vector::Ones(size);
  return problem;
}

Problem oscillator(double frequency = 1.0) {
  return make_problem(2, [frequency](double, const double* y, double* y_dot) {
    y_dot[0] = frequency * y[1];
    y_dot[1] = -frequency * y[0];
  });
}

Problem kepler() {
  return make_problem(4, [](double, const double* y, double* y_dot) { test_support::kepler_rates(y, y_dot); });
}

Vector pericentre(double eccentricity) {
  return Vector{{1.0 - eccentricity, 0.0, 0.0, std::sqrt((1.0 + eccentricity) / (1.0 - eccentricity))}};
}

class EveryMethodRuns : public ::testing::TestWithParam<const Method*> {
 protected:
  [[nodiscard]] Options options(double tolerance) const { return {.method = GetParam()->name, .tolerance = tolerance}; }
};

TEST_P(EveryMethodRuns, FollowsTheExponential) {
  const Problem problem = make_problem(1, [](double, const double* y, double* y_dot) { y_dot[0] = y[0]; });
  double t = 0.0;
  Vector y{{1.0}};
  ASSERT_TRUE(integrate(problem, options(1e-10), t, y, 3.0, kNoCallback));
  EXPECT_EQ(t, 3.0);
  EXPECT_NEAR(y[0], std::exp(3.0), 1e-9 * std::exp(3.0));
}

TEST_P(EveryMethodRuns, FollowsTheOscillatorOverTenPeriods) {
  double t = 0.0;
  Vector y{{1.0, 0.0}};
  const double t1 = 20.0 * std::numbers::pi;
  ASSERT_TRUE(integrate(oscillator(), options(1e-9), t, y, t1, kNoCallback));
  EXPECT_NEAR(y[0], 1.0, 1e-7);
  EXPECT_NEAR(y[1], 0.0, 1e-7);
}

TEST_P(EveryMethodRuns, ClosesKeplersEllipseAfterOnePeriod) {
  double t = 0.0;
  Vector y = pericentre(0.6);
  const Vector start = y;
  const auto done = integrate(kepler(), options(1e-11), t, y, 2.0 * std::numbers::pi, kNoCallback);
  ASSERT_TRUE(done);
  EXPECT_LT((y - start).cwiseAbs().maxCoeff(), 1e-8);
}

TEST_P(EveryMethodRuns, StaysAccurateWhereStabilityLimitsTheStep) {
  // y' = -1000 (y - cos t), starting on the slow solution (1e6 cos t + 1000 sin t)/(1e6 + 1).
  const Problem problem =
      make_problem(1, [](double t, const double* y, double* y_dot) { y_dot[0] = -1000.0 * (y[0] - std::cos(t)); });
  double t = 0.0;
  Vector y{{1e6 / (1e6 + 1.0)}};
  const auto done = integrate(problem, options(1e-8), t, y, 2.0, kNoCallback);
  ASSERT_TRUE(done);
  const double exact = (1e6 * std::cos(2.0) + 1000.0 * std::sin(2.0)) / (1e6 + 1.0);
  // For such stiff problems, the order of an implicit method is reduced to the order of its stages.
  if (GetParam()->runge_kutta.stages == 0) {
    EXPECT_NEAR(y[0], exact, 1e-6);
    EXPECT_LT(done->steps + done->rejected, 50);
    return;
  }
  EXPECT_NEAR(y[0], exact, 1e-7);
  // The stability interval has the length 3.3 to 6.1, so no step is much longer than this length divided by the rate
  // 1000.
  EXPECT_GT(done->steps + done->rejected, 300);
  EXPECT_LT(done->steps + done->rejected, 3000);
}

TEST_P(EveryMethodRuns, HasAContinuousOutputBetweenSteps) {
  double t = 0.0;
  Vector y{{1.0, 0.0}};
  Vector sample;
  double worst = 0.0;
  const auto look = [&](const Step& step) -> Outcome<Continue> {
    EXPECT_TRUE(step.interpolate(step.t_begin(), sample));
    EXPECT_EQ(sample, step.y_begin());
    EXPECT_TRUE(step.interpolate(step.t_end(), sample));
    EXPECT_EQ(sample, step.y_end());
    // The polynomial itself, not the stored end value, must be continuous at the end.
    const double h = step.t_end() - step.t_begin();
    EXPECT_TRUE(step.interpolate(step.t_end() - 1e-13 * h, sample));
    EXPECT_LT((sample - step.y_end()).cwiseAbs().maxCoeff(), 1e-12);
    for (const double theta : {0.1, 0.25, 0.5, 0.77, 0.9}) {
      const double at = step.t_begin() + theta * h;
      EXPECT_TRUE(step.interpolate(at, sample));
      worst = std::max({worst, std::abs(sample[0] - std::cos(at)), std::abs(sample[1] + std::sin(at))});
    }
    return Continue::kYes;
  };
  ASSERT_TRUE(integrate(oscillator(), options(1e-9), t, y, 10.0, look));
  EXPECT_LT(worst, 1e-7);
}

// Error of values displayed between steps, compared with the error of the steps.
TEST_P(EveryMethodRuns, ShowsWhatLiesBetweenStepsAsWellAsItTakesThem) {
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    double t = 0.0;
    Vector y{{1.0, 0.0}}, shown;
    double worst_inside = 0.0, worst_at_ends = 0.0;
    const auto error = [](double at, const Vector& of) {
      return std::hypot(of[0] - std::cos(at), of[1] + std::sin(at));
    };
    const auto look = [&](const Step& step) -> Outcome<Continue> {
      worst_at_ends = std::max(worst_at_ends, error(step.t_end(), step.y_end()));
      for (const double theta : {0.1, 0.25, 0.5, 0.77, 0.9, 0.99}) {
        const double at = step.t_begin() + theta * (step.t_end() - step.t_begin());
        EXPECT_TRUE(step.step_to(at, shown));
        worst_inside = std::max(worst_inside, error(at, shown));
      }
      EXPECT_TRUE(step.step_to(step.t_begin(), shown));
      EXPECT_EQ(shown, step.y_begin());
      EXPECT_TRUE(step.step_to(step.t_end(), shown));
      EXPECT_EQ(shown, step.y_end());
      return Continue::kYes;
    };
    ASSERT_TRUE(integrate(oscillator(), options(tolerance), t, y, 20.0, look));
    EXPECT_LE(worst_inside, 2.0 * worst_at_ends) << tolerance;
  }
}

TEST_P(EveryMethodRuns, IsNotChangedByWhatIsShown) {
  int looks = 0;
  Problem problem = kepler();
  problem.look = [&looks](double, const double* y, double* y_dot) -> Outcome<void> {
    ++looks;
    test_support::kepler_rates(y, y_dot);
    return {};
  };
  const auto run = [&](bool is_shown) {
    double t = 0.0;
    Vector y = pericentre(0.6), shown;
    long calls = 0;
    problem.derivative = [&calls](double, const double* at, double* y_dot) -> Outcome<void> {
      ++calls;
      test_support::kepler_rates(at, y_dot);
      return {};
    };
    EXPECT_TRUE(integrate(problem, options(1e-8), t, y, 10.0, [&](const Step& step) -> Outcome<Continue> {
      const double middle = 0.5 * (step.t_begin() + step.t_end());
      if (is_shown) {
        EXPECT_TRUE(step.step_to(middle, shown) && step.interpolate(middle, shown));
      }
      return Continue::kYes;
    }));
    return std::pair(y, calls);
  };
  const auto alone = run(false);
  const int looks_alone = looks;  // an implicit method evaluates without side effects in every step
  if (GetParam()->runge_kutta.stages > 0) {
    EXPECT_EQ(looks, 0);
  }
  EXPECT_EQ(run(true), alone);
  EXPECT_GT(looks, 2 * looks_alone);
}

class EveryExplicitMethodRuns : public EveryMethodRuns {};

TEST_P(EveryExplicitMethodRuns, EvaluatesItsStagesOnceAStepAndExtraOnesOnlyWhenAsked) {
  const RungeKutta& method = GetParam()->runge_kutta;
  Options fixed = options(1e-8);
  fixed.fixed_step = 0.125;
  double t = 0.0;
  Vector y{{1.0, 0.0}};
  auto done = integrate(oscillator(), fixed, t, y, 1.0, kNoCallback);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->steps, 8);
  EXPECT_EQ(done->rejected, 0);
  constexpr int kForNoise = 2 * 2;  // two evaluations each, before the first and before the fourth step
  EXPECT_EQ(done->evaluations, 1 + kForNoise + 8 * method.stages);

  t = 0.0;
  y = Vector{{1.0, 0.0}};
  Vector sample;
  done = integrate(oscillator(), fixed, t, y, 1.0, [&](const Step& step) -> Outcome<Continue> {
    for (const double theta : {0.25, 0.5}) {
      EXPECT_TRUE(step.interpolate(step.t_begin() + theta * (step.t_end() - step.t_begin()), sample));
    }
    return Continue::kYes;
  });
  ASSERT_TRUE(done);
  EXPECT_EQ(done->evaluations, 1 + kForNoise + 8 * (method.stages + method.extra_stages));
}

std::vector<const Method*> methods_of_table(bool is_explicit_only) {
  std::vector<const Method*> methods;
  for (const Method& method : method_table()) {
    if (!is_explicit_only || method.runge_kutta.stages > 0) methods.push_back(&method);
  }
  return methods;
}
const auto name_of_method = [](const auto& param) { return std::string(param.param->name); };
INSTANTIATE_TEST_SUITE_P(MethodTable, EveryMethodRuns, ::testing::ValuesIn(methods_of_table(false)), name_of_method);
INSTANTIATE_TEST_SUITE_P(MethodTable, EveryExplicitMethodRuns, ::testing::ValuesIn(methods_of_table(true)),
                         name_of_method);

TEST(Integrate, EndsExactlyAtTheEnd) {
  for (const double t1 : {0.1, 1.0 / 3.0, 7.7, 1e5 + 0.1}) {
    double t = t1 > 1e4 ? 1e5 : 0.0;
    Vector y{{1.0, 0.0}};
    double last = 0.0;
    ASSERT_TRUE(integrate(oscillator(), {}, t, y, t1, [&](const Step& step) -> Outcome<Continue> {
      last = step.t_end();
      return Continue::kYes;
    }));
    EXPECT_EQ(t, t1);
    EXPECT_EQ(last, t1);
  }
}

TEST(Integrate, DoesNothingOverAnEmptyInterval) {
  double t = 2.0;
  Vector y{{1.0, 0.0}};
  int calls = 0;
  const auto done = integrate(oscillator(), {}, t, y, 2.0, [&](const Step&) -> Outcome<Continue> {
    ++calls;
    return Continue::kYes;
  });
  ASSERT_TRUE(done);
  EXPECT_EQ(done->steps, 0);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(y, (Vector{{1.0, 0.0}}));
}

TEST(Integrate, CarriesTimeAloneWhereThereIsNoState) {
  const Problem problem = make_problem(0, [](double, const double*, double*) {});
  double t = 0.0;
  Vector y(0);
  ASSERT_TRUE(integrate(problem, {}, t, y, 5.0, kNoCallback));
  EXPECT_EQ(t, 5.0);
}

TEST(Integrate, StopsWhereTheCallbackAsks) {
  double t = 0.0;
  Vector y{{1.0, 0.0}};
  const auto done = integrate(oscillator(), {}, t, y, 100.0, [](const Step& step) -> Outcome<Continue> {
    return step.t_end() > 3.0 ? Continue::kNo : Continue::kYes;
  });
  ASSERT_TRUE(done);
  EXPECT_GT(t, 3.0);
  EXPECT_LT(t, 6.0);
  EXPECT_NEAR(y[0], std::cos(t), 1e-7);
}

TEST(Integrate, ReturnsTheFailureOfTheCallbackAtTheEndOfItsStep) {
  double t = 0.0;
  Vector y{{1.0, 0.0}};
  double end = 0.0;
  const auto done = integrate(oscillator(), {}, t, y, 100.0, [&](const Step& step) -> Outcome<Continue> {
    end = step.t_end();
    Failure failure;
    failure.kind = FailureKind::kRankDrop;
    return fail(failure);
  });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, FailureKind::kRankDrop);
  EXPECT_EQ(t, end);
}

TEST(Integrate, GoesOnFromWhereItStoppedWithTheStepItProposed) {
  double t = 0.0;
  Vector y{{1.0, 0.0}};
  Options options;
  long evaluations = 0;
  for (const double t1 : {3.0, 6.0, 10.0}) {
    const auto done = integrate(oscillator(), options, t, y, t1, kNoCallback);
    ASSERT_TRUE(done);
    EXPECT_GT(done->next_step, 0.0);
    options.first_step = done->next_step;
    evaluations += done->evaluations;
  }
  EXPECT_NEAR(y[0], std::cos(10.0), 1e-7);
  EXPECT_LT(evaluations, 400);
}

TEST(Integrate, RespectsTheLargestAndTheFirstStep) {
  double t = 0.0;
  Vector y{{1.0, 0.0}};
  std::vector<double> sizes;
  Options options;
  options.largest_step = 0.3;
  options.first_step = 0.01;
  ASSERT_TRUE(integrate(oscillator(), options, t, y, 5.0, [&](const Step& step) -> Outcome<Continue> {
    sizes.push_back(step.t_end() - step.t_begin());
    return Continue::kYes;
  }));
  EXPECT_NEAR(sizes.front(), 0.01, 1e-15);
  for (const double size : sizes) EXPECT_LE(size, 0.3 * 1.0101);
}

TEST(Integrate, TakesTheSameStepsWhateverTheUnits) {
  // The oscillator in other units, with lengths in mm and times in ms. It must take the same steps.
  const auto count = [](double length, double time) {
    Problem problem = make_problem(2, [=](double, const double* y, double* y_dot) {
      y_dot[0] = y[1];
      y_dot[1] = -y[0] / (time * time) * (1.0 + 0.5 * y[0] / length);
    });
    problem.reached = (Vector(2) << length, length / time).finished();
    double t = 0.0;
    Vector y{{0.5 * length, 0.0}};
    const auto done = integrate(problem, {}, t, y, 20.0 * time, kNoCallback);
    EXPECT_TRUE(done);
    return done->steps * 1000 + done->rejected;
  };
  EXPECT_EQ(count(1.0, 1.0), count(1024.0, 1024.0));
  EXPECT_EQ(count(1.0, 1.0), count(1.0 / 4096.0, 1.0));
  EXPECT_EQ(count(1.0, 1.0), count(1.0, 1.0 / 65536.0));
}

TEST(Integrate, MeetsItsToleranceOverTheWholeRange) {
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    double t = 0.0;
    Vector y = pericentre(0.3);
    const Vector start = y;
    Options options;
    options.tolerance = tolerance;
    ASSERT_TRUE(integrate(kepler(), options, t, y, 2.0 * std::numbers::pi, kNoCallback));
    EXPECT_LT((y - start).cwiseAbs().maxCoeff(), 100.0 * tolerance) << tolerance;
  }
}

TEST(Integrate, RefusesWhatBreaksItsContract) {
  double t = 0.0;
  Vector y{{1.0, 0.0}};
  EXPECT_THROW((void)integrate(oscillator(), {.method = "euler"}, t, y, 1.0, kNoCallback), InternalError);
  EXPECT_THROW((void)integrate(oscillator(), {}, t, y, -1.0, kNoCallback), InternalError);
  EXPECT_THROW((void)integrate(oscillator(), {.tolerance = 0.0}, t, y, 1.0, kNoCallback), InternalError);
  Vector three{{1.0, 0.0, 0.0}};
  EXPECT_THROW((void)integrate(oscillator(), {}, t, three, 1.0, kNoCallback), InternalError);
}

TEST(CompensatedSummation, KeepsTimeToTheLastPlaceOverAMillionSteps) {
  const Problem problem = make_problem(1, [](double, const double*, double* y_dot) { y_dot[0] = 0.0; });
  Options options;
  options.method = "dp5";
  options.fixed_step = 0.1;
  double t = 0.0;
  Vector y{{1.0}};
  long n = 0;
  double worst = 0.0;
  ASSERT_TRUE(integrate(problem, options, t, y, 1e5, [&](const Step& step) -> Outcome<Continue> {
    ++n;
    worst = std::max(worst, std::abs(step.t_end() - static_cast<double>(n) * 0.1));
    return Continue::kYes;
  }));
  EXPECT_EQ(n, 1'000'000);
  EXPECT_LT(worst, 3e-11);  // two units in the last place of 1e5; without compensation the error is 1.3e-6
}

TEST(CompensatedSummation, KeepsTheStateWhereTheToleranceIsNearRounding) {
  // 1e5 increments of 1e-5·0.1 are added to 1. Each loses up to 1e-16, which compensated summation keeps.
  const Problem problem = make_problem(1, [](double, const double*, double* y_dot) { y_dot[0] = 0.1; });
  const auto error_at = [&](double tolerance) {
    Options options;
    options.method = "dp5";
    options.tolerance = tolerance;
    options.fixed_step = 1e-5;
    double t = 0.0;
    Vector y{{1.0}};
    EXPECT_TRUE(integrate(problem, options, t, y, 1.0, kNoCallback));
    return std::abs(y[0] - 1.1);
  };
  EXPECT_LT(error_at(1e-12), 5e-16);
  EXPECT_GT(error_at(1e-8), 1e-14);
}

}  // namespace
}  // namespace vinculum::integrate
