#include "vinculum/integrate/error_norm.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "vinculum/base/contract.hpp"

namespace vinculum::integrate {
namespace {

Problem two_groups(double scale_0, double scale_1) {
  Problem problem;
  problem.size = 3;
  problem.group = {0, 0, 1};
  problem.group_scale = {scale_0, scale_1};
  return problem;
}

TEST(ErrorNorm, IsTheRootMeanSquareOfErrorsOverGroupTolerances) {
  ErrorNorm norm(two_groups(1.0, 10.0), 1e-3, 4);
  const double y[] = {0.0, -3.0, 5.0, 0.0};
  const double y_new[] = {1.0, 2.0, -20.0, 0.0};
  const double v[] = {8e-3, 4e-3, 6e-2, 0.0};
  norm.set_scale(y, y_new);
  // tolerances 1e-3 (1 + 3) and 1e-3 (10 + 20): ratios 2, 1, 2
  EXPECT_NEAR(norm.mean_square(v), 9.0 / 3.0, 1e-14);
}

TEST(ErrorNorm, DoesNotDependOnTheUnitOfAGroup) {
  ErrorNorm metres(two_groups(1.0, 1.0), 1e-6, 4);
  ErrorNorm millimetres(two_groups(1000.0, 1.0), 1e-6, 4);
  const double y[] = {0.3, 0.7, 0.1, 0.0};
  const double v[] = {1e-7, 2e-7, 3e-7, 0.0};
  const double y_mm[] = {300.0, 700.0, 0.1, 0.0};
  const double v_mm[] = {1e-4, 2e-4, 3e-7, 0.0};
  metres.set_scale(y, y);
  millimetres.set_scale(y_mm, y_mm);
  EXPECT_NEAR(metres.mean_square(v), millimetres.mean_square(v_mm), 1e-15 * metres.mean_square(v) * 10);
}

TEST(ErrorNorm, KeepsItsToleranceWhereOneCoordinateOfAGroupPassesZero) {
  ErrorNorm norm(two_groups(1.0, 1.0), 1e-6, 4);
  const double at_zero[] = {0.0, 50.0, 0.0, 0.0};
  const double elsewhere[] = {49.0, 50.0, 0.0, 0.0};
  const double v[] = {1e-5, 0.0, 0.0, 0.0};
  norm.set_scale(at_zero, at_zero);
  const double first = norm.mean_square(v);
  norm.set_scale(elsewhere, elsewhere);
  EXPECT_EQ(norm.mean_square(v), first);
}

TEST(ErrorNorm, NamesTheWorstComponent) {
  ErrorNorm norm(two_groups(1.0, 100.0), 1e-3, 4);
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

TEST(ErrorNorm, RefusesGroupsThatDoNotFit) {
  Problem problem = two_groups(1.0, 1.0);
  problem.group = {0, 0, 2};
  EXPECT_THROW(ErrorNorm(problem, 1e-6, 4), InternalError);
  problem = two_groups(0.0, 1.0);
  EXPECT_THROW(ErrorNorm(problem, 1e-6, 4), InternalError);
  EXPECT_THROW(ErrorNorm(two_groups(1.0, 1.0), 0.0, 4), InternalError);
}

}  // namespace
}  // namespace vinculum::integrate
