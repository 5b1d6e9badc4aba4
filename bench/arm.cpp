// Time of an evaluation of the accelerations of a manipulator with seven joints, and time to derive and compile a long
// chain. Native code, one core. Goals: fixed base 300 ns; with the last link fixed in space (six rows) 600 ns; 20 rods
// derived in 20 ms and compiled in 300 ms.

#include <benchmark/benchmark.h>

#include "support/equations/bodies.hpp"
#include "vinculum/compiled/binding.hpp"
#include "vinculum/compiled/values.hpp"
#include "vinculum/motion/dynamics.hpp"

namespace {

using namespace vinculum;
using model::Model;

const std::vector<double> kAngles{0.3, 0.2, -0.5, 1.2, 0.4, -0.3, 0.1};
const std::vector<double> kRates{0.02, -0.01, 0.03, 0.04, -0.02, 0.05, 0.06};

std::shared_ptr<const Model> arm(bool is_held) {
  model::ModelBuilder b("arm");
  const auto O = b.add_fixed_point("O", Model::newtonian());
  const auto arm = equations::testing::add_arm(b, Model::newtonian(), O);
  if (is_held) {
    const auto x = b.parameter(b.add_parameter("x", 3.285428562029344)),
               y = b.parameter(b.add_parameter("y", -7.600999330090443)),
               z = b.parameter(b.add_parameter("z", -3.495543559298368));
    b.add_constraint("place",
                     b.pos(arm.joints[6], O) - (x * b.axis(Model::newtonian(), 0) + y * b.axis(Model::newtonian(), 1) +
                                                z * b.axis(Model::newtonian(), 2)));
    b.add_constraint("attitude", b.omega(arm.links[6]));
  }
  return *b.finish();
}

std::shared_ptr<const sim::Binding> compiled(const std::shared_ptr<const Model>& model, codegen::Backend backend) {
  sim::CompileSettings settings;
  settings.codegen.backend = backend;
  auto result = sim::compile_model(model, settings);
  if (!result) throw std::runtime_error(result.error().message);
  return *result;
}

void accelerations(benchmark::State& state, bool is_held, codegen::Backend backend, double goal_ns) {
  const auto model = compiled(arm(is_held), backend);
  sim::Dynamics dynamics(model);
  std::vector<double> y = kAngles, y_dot(2 * kAngles.size());
  y.insert(y.end(), kRates.begin(), kRates.end());
  for (auto _ : state) {
    auto outcome = dynamics.derivative(0.0, y.data(), y_dot.data());
    benchmark::DoNotOptimize(outcome);
    benchmark::DoNotOptimize(y_dot.data());
    benchmark::ClobberMemory();
  }
  state.counters["goal_ns"] = goal_ns;
  state.counters["operations"] = static_cast<double>(model->accelerations.kernel->operation_count());
  state.counters["fallbacks"] = static_cast<double>(dynamics.counts().fallbacks);
}

void derivation(benchmark::State& state, int links, bool absolute) {
  const auto model = equations::testing::rods(links, absolute);
  for (auto _ : state) {
    auto system = equations::derive(model);
    benchmark::DoNotOptimize(system);
  }
}

void compilation(benchmark::State& state, int links, bool absolute, codegen::Backend backend) {
  const auto model = equations::testing::rods(links, absolute);
  for (auto _ : state) {
    auto result = compiled(model, backend);
    benchmark::DoNotOptimize(result);
  }
}

/// Time to change the value of one parameter of compiled kernels. Goal: 20 µs.
void rebinding(benchmark::State& state, const std::shared_ptr<const Model>& model) {
  const auto bound = compiled(model, codegen::Backend::kNative);
  sim::ParameterValue value{model->parameters.front().name, model->parameters.front().value};
  for (auto _ : state) {
    value.value *= 1.0 + 1e-6;
    auto changed = sim::with(*bound, std::span(&value, 1));
    benchmark::DoNotOptimize(changed);
  }
  state.counters["goal_ns"] = 20e3;
}

BENCHMARK_CAPTURE(accelerations, open, false, codegen::Backend::kNative, 300.0);
BENCHMARK_CAPTURE(accelerations, held, true, codegen::Backend::kNative, 600.0);
BENCHMARK_CAPTURE(accelerations, open_by_tape, false, codegen::Backend::kTape, 0.0);
BENCHMARK_CAPTURE(accelerations, held_by_tape, true, codegen::Backend::kTape, 0.0);
BENCHMARK_CAPTURE(derivation, rods_20_relative, 20, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(derivation, rods_20_absolute, 20, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compilation, rods_20_relative, 20, false, codegen::Backend::kNative)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compilation, rods_20_absolute, 20, true, codegen::Backend::kNative)->Unit(benchmark::kMillisecond);

BENCHMARK_CAPTURE(rebinding, arm, arm(true));

}  // namespace

BENCHMARK_MAIN();
