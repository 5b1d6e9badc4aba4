#include "vinculum/integrate/error_norm.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "vinculum/base/contract.hpp"

namespace vinculum::integrate {
namespace {

Problem of_three(double a, double b, double c) {
  Problem problem;
  problem.size = 3;
  problem.reached = (Vector(3) << a, b, c).finished();
  return problem;
}

TEST(ErrorNorm, IsTheRootMeanSquareOfErrorsOverTheTolerancesOfComponents) {
  ErrorNorm norm(of_three(4.0, 2.0, 0.0), 1e-3, 4);
  const double y[] = {0.0, -3.0, 5.0, 0.0};
  const double y_new[] = {1.0, 2.0, -20.0, 0.0};
  const double v[] = {1e-2, 6e-3, 8e-2, 0.0};
  norm.set_scale(y, y_new);
  // Tolerances 1e-3 (4 + 1), 1e-3 (3 + 3), 1e-3 (20 + 20); ratios of v to tolerance 2, 1, 2.
  EXPECT_NEAR(norm.mean_square(v), 9.0 / 3.0, 1e-14);
}

TEST(ErrorNorm, DoesNotDependOnUnits) {
  ErrorNorm metres(of_three(1.0, 1.0, 1.0), 1e-6, 4);
  ErrorNorm others(of_three(1024.0, 0x1p-40, 1.0), 1e-6, 4);
  const double y[] = {0.3, 0.7, 0.1, 0.0}, v[] = {1e-7, 2e-7, 3e-7, 0.0};
  const double y_other[] = {0.3 * 1024.0, 0.7 * 0x1p-40, 0.1, 0.0},
               v_other[] = {1e-7 * 1024.0, 2e-7 * 0x1p-40, 3e-7, 0};
  metres.set_scale(y, y);
  others.set_scale(y_other, y_other);
  EXPECT_EQ(metres.mean_square(v), others.mean_square(v_other));
}

TEST(ErrorNorm, RemembersWhatAComponentHasReached) {
  ErrorNorm norm(of_three(0.0, 0.0, 0.0), 1e-6, 4);
  const double high[] = {50.0, 1.0, 1.0, 0.0}, at_zero[] = {0.0, 1.0, 1.0, 0.0}, v[] = {1e-5, 0.0, 0.0, 0.0};
  norm.set_scale(at_zero, at_zero);
  EXPECT_EQ(norm.mean_square(v), 0.0) << "what is 0 has no size yet, and no error";
  norm.reach(high);
  norm.set_scale(at_zero, at_zero);
  EXPECT_NEAR(norm.worst(v).ratio, 1e-5 / 50e-6, 1e-14);
}

TEST(ErrorNorm, MeasuresASmallComponentBesideALargeOneByItself) {
  ErrorNorm norm(of_three(7e6, 1e-2, 0.0), 1e-8, 4);
  const double y[] = {7e6, 1e-2, 0.0, 0.0}, v[] = {0.0, 2e-8, 0.0, 0.0};
  norm.set_scale(y, y);
  EXPECT_NEAR(norm.worst(v).ratio, 100.0, 1e-12);
}

TEST(ErrorNorm, TakesTheSizeThatIsStated) {
  Problem problem = of_three(7e6, 1.0, 1.0);
  problem.stated = (Vector(3) << 1e-2, 0.0, 0.0).finished();
  ErrorNorm norm(problem, 1e-6, 4);
  const double y[] = {7e6, 1.0, 1.0, 0.0}, v[] = {2e-8, 0.0, 0.0, 0.0};
  norm.set_scale(y, y);
  EXPECT_NEAR(norm.worst(v).ratio, 2.0, 1e-12);
}

TEST(ErrorNorm, AsksForNothingBelowTheNoiseOfARate) {
  ErrorNorm norm(of_three(0.0, 0.0, 0.0), 1e-8, 4);
  const double y[] = {1e-17, 1.0, 0.0, 0.0}, v[] = {1e-17, 0.0, 0.0, 0.0}, noise[] = {1e-15, 0.0, 0.0, 0.0};
  norm.set_scale(y, y, noise, 0.01);
  EXPECT_LE(norm.worst(v).ratio, 1.0);
  norm.set_scale(y, y);
  EXPECT_GT(norm.worst(v).ratio, 1e7);
}

TEST(ErrorNorm, DoesNotTakeTheRoundingOfAProjectionForAnErrorOfTheStep) {
  Problem problem = of_three(1e-17, 1.0, 1.0);
  problem.beside = Vector::Ones(3);
  ErrorNorm norm(problem, 1e-8, 4);
  const double y[] = {1e-17, 1.0, 1.0, 0.0}, rounding[] = {1e-16, 0.0, 0.0, 0.0}, jump[] = {0.0, 1e-5, 0.0, 0.0};
  norm.set_scale(y, y);
  EXPECT_LT(norm.worst_correction(rounding).ratio, 1.0);
  EXPECT_GT(norm.worst_correction(jump).ratio, 400.0);
}

TEST(ErrorNorm, MeasuresRoundingByTheLargestThatAnyOfAKindHasReached) {
  // The first two components are of one kind: an angle that stays 0, and an angle of 50 rad in the same linear system.
  Problem problem = of_three(0.0, 0.0, 1.0);
  problem.beside = Vector::Constant(3, 1e-3);
  problem.kind = {0, 0, 1};
  ErrorNorm norm(problem, 1e-8, 4);
  const double y[] = {1e-17, 50.0, 1.0, 0.0}, rounding[] = {4e-11, 0.0, 0.0, 0.0}, other[] = {0.0, 0.0, 1e-7, 0.0};
  norm.set_scale(y, y);
  EXPECT_GT(norm.worst_correction(rounding).ratio, 1e3);
  norm.reach(y);
  norm.set_scale(y, y);
  EXPECT_EQ(norm.whole(0), 50.0);
  EXPECT_EQ(norm.whole(2), 1.0);
  EXPECT_LE(norm.worst_correction(rounding).ratio, 1.0);
  EXPECT_GT(norm.worst_correction(other).ratio, 1.0) << "what is of another kind is none of it";
}

/// Start from rest with a force that rises from 0 as a power of time. A shorter step then has the same error relative
/// to the value that it reaches.
TEST(ErrorNorm, TakesTheSizeOfWhatIsStillNothingFromRejectedTrials) {
  ErrorNorm norm(of_three(0.0, 0.0, 1.0), 1e-3, 4);
  const double at_rest[] = {0.0, 0.0, 1.0, 0.0}, end[] = {1e-4, 1e-4, 1.0, 0.0};
  const double longer[] = {8.0, 8.0, 8.0, 0.0}, shorter[] = {1.0, 1.0, 1.0, 0.0};
  const double of_longer[] = {2.0, 2.0, 2.0, 0.0}, of_shorter[] = {0.2, 0.002, 0.2, 0.0};
  norm.try_for(at_rest, longer, of_longer);
  norm.set_scale(at_rest, end);
  EXPECT_NEAR(norm.per_tolerance(0), 1.0 / (1e-3 * 2e-4), 1e-6) << "one trial may be worth nothing";
  norm.try_for(at_rest, shorter, of_shorter);
  norm.set_scale(at_rest, end);
  EXPECT_NEAR(norm.per_tolerance(0), 1.0 / (1e-3 * (1e-4 + 8.0)), 1e-10);
  EXPECT_NEAR(norm.per_tolerance(1), 1.0 / (1e-3 * 2e-4), 1e-6) << "a shorter step is better there";
  EXPECT_NEAR(norm.per_tolerance(2), 1.0 / (1e-3 * 2.0), 1e-10) << "has a size";
  norm.reach(end);
  norm.set_scale(end, end);
  EXPECT_NEAR(norm.per_tolerance(0), 1.0 / (1e-3 * 2e-4), 1e-6) << "an accepted step has a size of its own";
}

TEST(ErrorNorm, NamesTheWorstComponent) {
  ErrorNorm norm(of_three(1.0, 1.0, 100.0), 1e-3, 4);
  const double y[] = {0.0, 0.0, 0.0, 0.0};
  const double v[] = {1e-3, 5e-3, 0.2, 0.0};
  norm.set_scale(y, y);
  EXPECT_EQ(norm.worst(v).index, 1);
  EXPECT_NEAR(norm.worst(v).ratio, 5.0, 1e-14);
  const double not_a_number[] = {1e-3, 5e-3, std::nan(""), 0.0};
  EXPECT_EQ(norm.worst(not_a_number).index, 2);
}

TEST(ErrorNorm, IsZeroWithoutComponents) {
  ErrorNorm norm(Problem{}, 1e-6, 0);
  norm.set_scale(nullptr, nullptr);
  EXPECT_EQ(norm.mean_square(nullptr), 0.0);
  EXPECT_EQ(norm.worst(nullptr).index, -1);
}

TEST(ErrorNorm, RefusesSizesThatDoNotFit) {
  Problem problem = of_three(1.0, 1.0, 1.0);
  problem.reached = Vector::Ones(2);
  EXPECT_THROW(ErrorNorm(problem, 1e-6, 4), InternalError);
  EXPECT_THROW(ErrorNorm(of_three(-1.0, 1.0, 1.0), 1e-6, 4), InternalError);
  EXPECT_THROW(ErrorNorm(of_three(1.0, 1.0, 1.0), 0.0, 4), InternalError);
}

}  // namespace
}  // namespace vinculum::integrate
