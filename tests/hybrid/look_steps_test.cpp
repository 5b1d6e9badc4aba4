#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

/// Enclosure checks must not add steps to smooth motions.
namespace vinculum::sim {
namespace look_steps_test {

Trajectory run_of(const char* model, bool looks) {
  const std::filesystem::path root = VINCULUM_SOURCE;
  const auto bound = test_support::compiled(test_support::model_of_file(root / "models" / model));
  Dynamics dynamics(bound);
  SimulateOptions options = options_of(*bound->compiled->model);
  if (!looks) std::erase_if(options.sources, [](const SourceRow& row) { return row.name == "switches"; });
  return simulate(dynamics, options);
}

TEST(LookSteps, AreNoMoreThanWithoutLooks) {
  for (const char* model : {"kepler.vin", "double_pendulum.vin", "manipulator_by_seven_motors.vin"}) {
    const Trajectory with = run_of(model, true), without = run_of(model, false);
    EXPECT_FALSE(with.stopped) << model;
    EXPECT_GT(with.step_times.size(), 10u) << model;
    EXPECT_EQ(with.step_times, without.step_times) << model;
    EXPECT_EQ(with.statistics.rejected, without.statistics.rejected) << model;
    EXPECT_EQ(without.looking.steps, 0) << model;
  }
}

}  // namespace look_steps_test
}  // namespace vinculum::sim
