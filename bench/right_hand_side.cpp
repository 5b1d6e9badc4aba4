// Time of an evaluation of the right-hand side with constraints. Native code, one core. Goals: two pucks 80 ns; double
// pendulum in Cartesian coordinates 120 ns; the double pendulum with every row stated three times at most 1.5 times as
// long.

#include <benchmark/benchmark.h>

#include "support/models.hpp"
#include "vinculum/compiled/values.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/start/assembly.hpp"

namespace {

using namespace vinculum;

void right_hand_side(benchmark::State& state, const std::string& model, codegen::Backend backend, double goal_ns) {
  const auto bound = test_support::compiled(
      test_support::model_of_file(std::filesystem::path(VINCULUM_MODELS) / (model + ".vin")), backend);
  sim::Dynamics dynamics(bound);
  const auto start = sim::assemble(dynamics);
  if (!start) return state.SkipWithError(start.error().message.c_str());
  std::vector<double> y(start->q.begin(), start->q.end());
  y.insert(y.end(), start->u.begin(), start->u.end());
  std::vector<double> y_dot(y.size());
  double t = start->t0;
  for (auto _ : state) {
    auto outcome = dynamics.derivative(t, y.data(), y_dot.data());
    benchmark::DoNotOptimize(outcome);
    benchmark::DoNotOptimize(y_dot.data());
    benchmark::ClobberMemory();
  }
  state.counters["goal_ns"] = goal_ns;
  state.counters["operations"] = static_cast<double>(bound->accelerations.kernel->operation_count());
  state.counters["fallbacks"] = static_cast<double>(dynamics.counts().fallbacks);
}

/// Time to change the value of one parameter of compiled kernels. Goal: 20 µs.
void rebinding(benchmark::State& state, const std::shared_ptr<const model::Model>& model,
               const std::string& parameter) {
  const auto bound = test_support::compiled(model, codegen::Backend::kNative);
  sim::ParameterValue value{parameter, 1.0};
  for (auto _ : state) {
    value.value *= 1.0 + 1e-6;
    auto changed = sim::with(*bound, std::span(&value, 1));
    if (!changed) return state.SkipWithError(changed.error().reason.c_str());
    benchmark::DoNotOptimize(changed);
  }
  state.counters["goal_ns"] = 20e3;
}

std::shared_ptr<const model::Model> model_named(const std::string& name) {
  return test_support::model_of_file(std::filesystem::path(VINCULUM_MODELS) / (name + ".vin"));
}

std::shared_ptr<const model::Model> chain_of_20() {
  return test_support::model_of_text(
      "model chain\nframe N newtonian\npoint P[0] fixed in N\nparam m = 1, g = 9.81, length = 0.5\n"
      "coord q[1..20]\ngravity -g*N.y\n"
      "for i in 1..20 {\n  particle P[i] mass m at P[i-1] + length*(sin(q[i])*N.x - cos(q[i])*N.y)\n}\nrun 1\n");
}

BENCHMARK_CAPTURE(rebinding, chain_of_20, chain_of_20(), "m");
BENCHMARK_CAPTURE(rebinding, gough_stewart, model_named("gough_stewart"), "rb");
BENCHMARK_CAPTURE(right_hand_side, pucks, "pucks_parallel", codegen::Backend::kNative, 80.0);
BENCHMARK_CAPTURE(right_hand_side, double_pendulum, "double_pendulum", codegen::Backend::kNative, 120.0);
BENCHMARK_CAPTURE(right_hand_side, double_pendulum_rows_three_times, "double_pendulum_redundant",
                  codegen::Backend::kNative, 180.0);
BENCHMARK_CAPTURE(right_hand_side, rolling_disk, "rolling_disk", codegen::Backend::kNative, 0.0);
BENCHMARK_CAPTURE(right_hand_side, knife_edge, "knife_edge_viscous", codegen::Backend::kNative, 0.0);
BENCHMARK_CAPTURE(right_hand_side, gough_stewart, "gough_stewart", codegen::Backend::kNative, 0.0);
BENCHMARK_CAPTURE(right_hand_side, four_bar, "four_bar", codegen::Backend::kNative, 0.0);
BENCHMARK_CAPTURE(right_hand_side, pucks_by_tape, "pucks_parallel", codegen::Backend::kTape, 0.0);
BENCHMARK_CAPTURE(right_hand_side, double_pendulum_by_tape, "double_pendulum", codegen::Backend::kTape, 0.0);

}  // namespace

BENCHMARK_MAIN();
