#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

#include "support/models.hpp"

namespace vinculum {
namespace {

using test_support::compiled;

// Interpreter, tape and native code are one function: they agree in every bit (NaN counts as NaN).
bool is_same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

class Backends : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Backends, AgreeOnEveryKernelAtRandomStates) {
  const auto model = test_support::model_of_file(GetParam());
  const auto interpreter = compiled(model, codegen::Backend::kInterpreter);
  const auto tape = compiled(model, codegen::Backend::kTape);
  const auto native = compiled(model, codegen::Backend::kNative);

  const auto evaluate = [](const sim::BoundKernel& bound, const std::vector<double>& inputs) {
    std::vector<double> outputs(bound.kernel->output_count());
    std::vector<double> workspace(bound.kernel->workspace_size());
    bound.kernel->evaluate(inputs.data(), bound.constants.data(), outputs.data(), workspace.data());
    return outputs;
  };

  std::mt19937_64 random(20021);
  std::uniform_real_distribution<double> uniform(-2.0, 2.0);
  for (int state = 0; state < 100; ++state) {
    std::vector<double> inputs(1 + static_cast<std::size_t>(tape->nq() + tape->nu()));
    for (double& value : inputs) value = uniform(random);
    // M, f, A, b and all else that the motion is computed from
    for (const auto kernel : {&sim::CompiledModel::matrices, &sim::CompiledModel::accelerations,
                              &sim::CompiledModel::position, &sim::CompiledModel::velocity}) {
      const std::vector<double> truth = evaluate((*interpreter).*kernel, inputs);
      const std::vector<double> by_tape = evaluate((*tape).*kernel, inputs);
      const std::vector<double> by_native = evaluate((*native).*kernel, inputs);
      ASSERT_EQ(truth.size(), by_tape.size());
      ASSERT_EQ(truth.size(), by_native.size());
      for (std::size_t i = 0; i < truth.size(); ++i) {
        EXPECT_TRUE(is_same(truth[i], by_tape[i])) << "tape, output " << i << ", state " << state;
        EXPECT_TRUE(is_same(truth[i], by_native[i])) << "native, output " << i << ", state " << state;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Backends, testing::ValuesIn(test_support::model_files()),
                         [](const auto& info) { return info.param.stem().string(); });

}  // namespace
}  // namespace vinculum
