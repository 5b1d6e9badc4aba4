#include <gtest/gtest.h>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum {
namespace law_uniqueness_test {

// A blade whose constraint is stated twice; each row has its own law.
sim::Trajectory blade_twice(const std::string& first, const std::string& second) {
  const auto bound = test_support::compiled(
      test_support::model_of_text("model blade\ncoord x, y, th\nlagrangian (x'^2 + y'^2 + th'^2)/2 + x\n"
                                  "constraint one: sin(th)*x' - cos(th)*y' = 0\n" +
                                  first + "constraint two: 2*sin(th)*x' - 2*cos(th)*y' = 0\n" + second +
                                  "start x' = 1, y' = 0, th' = 1\nrun 1 tolerance 1e-10\n"));
  sim::Dynamics dynamics(bound);
  return sim::simulate(dynamics, sim::options_of(*bound->compiled->model));
}

// With μ' = −λ, the two dependent rows may share λ in any way, and each way gives another motion.
TEST(DependentRows, UnderLawsThatDifferHaveNoMotionOfTheirOwn) {
  const std::string vakonomic = "    law vakonomic start mu = 0.5\n", kozlov = "    law kozlov c = 2 start mu = 0\n";
  for (const auto& [first, second] :
       {std::pair<std::string, std::string>{vakonomic, ""}, {"", vakonomic}, {vakonomic, kozlov}}) {
    const sim::Trajectory run = blade_twice(first, second);
    ASSERT_TRUE(run.stopped);
    EXPECT_EQ(run.stopped->kind, FailureKind::kNotUnique);
    EXPECT_FALSE(run.stopped->rows.empty());
  }
}

// Only μ₁ + 2μ₂ affects the motion, and the rate of this sum is determined.
TEST(DependentRows, UnderOneLawMoveAsOneRow) {
  const sim::Trajectory run = blade_twice("    law vakonomic start mu = 0.5\n", "    law vakonomic start mu = 0.25\n");
  const sim::Trajectory alone = blade_twice("    law vakonomic start mu = 1\n", "    law vakonomic start mu = 0\n");
  ASSERT_FALSE(run.stopped);
  ASSERT_FALSE(alone.stopped);
  EXPECT_LT((run.end().q - alone.end().q).norm(), 1e-9);
}

}  // namespace law_uniqueness_test
}  // namespace vinculum
