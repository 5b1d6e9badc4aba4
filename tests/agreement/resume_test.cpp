#include <gtest/gtest.h>

#include <bit>

#include "support/models.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/run/run.hpp"

// A run that is interrupted after every few steps, reported and continued must equal an uninterrupted run, bit by bit.
namespace vinculum {
namespace resume_test {

constexpr long kLeg = 7;        // steps between two interruptions
constexpr long kMost = 7 * 60;  // number of compared steps

sim::Trajectory run_of(const std::shared_ptr<const sim::Binding>& bound, const std::string& method, bool is_left) {
  sim::Dynamics dynamics(bound);
  const auto start = sim::assemble(dynamics);
  if (!start) throw std::runtime_error(start.error().message);
  long steps = 0;
  sim::SimulateOptions options = sim::options_of(*bound->compiled->model);
  if (options.duration == 0.0) options.duration = 1.0;
  if (!method.empty()) options.method = method;
  options.is_interrupted = [&] { return ++steps >= kMost || (is_left && steps % kLeg == 0); };
  sim::Run run(dynamics, *start, options);
  while (run.go_on() && steps < kMost) {
    sim::Sample sample;
    (void)dynamics.report(run.mode(), run.t(), run.y().data(), sample);
    Vector elsewhere = 1.01 * run.y(), rates(run.y().size());
    (void)dynamics.derivative(run.mode(), run.t(), elsewhere.data(), rates.data());
    (void)dynamics.project(run.mode(), run.t(), elsewhere.data());
  }
  return run.end();
}

void expect_same_bits(const Vector& a, const Vector& b) {
  ASSERT_EQ(a.size(), b.size());
  for (Eigen::Index i = 0; i < a.size(); ++i)
    ASSERT_EQ(std::bit_cast<std::uint64_t>(a[i]), std::bit_cast<std::uint64_t>(b[i])) << "component " << i;
}

class Runs : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Runs, GoOnAsIfNeverLeft) {
  const auto bound = test_support::compiled(test_support::model_of_file(GetParam()));
  for (const std::string method : {"", "radau"}) {
    SCOPED_TRACE(method);
    const sim::Trajectory whole = run_of(bound, method, false), left = run_of(bound, method, true);
    EXPECT_EQ(whole.step_times, left.step_times);
    EXPECT_EQ(whole.statistics.evaluations, left.statistics.evaluations);
    EXPECT_EQ(whole.statistics.rejected, left.statistics.rejected);
    EXPECT_EQ(whole.statistics.steps, left.statistics.steps);
    EXPECT_EQ(whole.events.size(), left.events.size());
    EXPECT_EQ(whole.notes.size(), left.notes.size());
    EXPECT_EQ(whole.stopped.has_value(), left.stopped.has_value());
    ASSERT_EQ(whole.samples.size(), left.samples.size());
    for (std::size_t i = 0; i < whole.samples.size(); ++i) {
      const sim::Sample &a = whole.samples[i], &b = left.samples[i];
      ASSERT_EQ(a.t, b.t);
      expect_same_bits(a.q, b.q);
      expect_same_bits(a.u, b.u);
      expect_same_bits(a.z, b.z);
      expect_same_bits(a.reaction.lambda(), b.reaction.lambda());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Runs, testing::ValuesIn(test_support::model_files()),
                         [](const auto& instance) { return instance.param.stem().string(); });

}  // namespace resume_test
}  // namespace vinculum
