#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

#include "support/models.hpp"
#include "vinculum/compiled/report_symbols.hpp"
#include "vinculum/equations/derive.hpp"
#include "vinculum/higher_order/higher_order.hpp"

namespace vinculum {
namespace backends_test {

using test_support::compiled;

// Interpreter, tape and native code must give equal bits (all NaNs count as equal).
bool is_same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

void expect_same_at_random_states(const std::vector<sim::BoundKernel>& kernels, std::size_t input_count) {
  std::mt19937_64 random(20021);
  std::uniform_real_distribution<double> uniform(-2.0, 2.0);
  for (int state = 0; state < 100; ++state) {
    std::vector<double> inputs(input_count);
    for (double& value : inputs) value = uniform(random);
    std::vector<std::vector<double>> outputs;
    for (const sim::BoundKernel& bound : kernels) {
      std::vector<double> workspace(bound.kernel->workspace_size());
      outputs.emplace_back(bound.kernel->output_count());
      bound.kernel->evaluate(inputs.data(), bound.constants.data(), outputs.back().data(), workspace.data());
    }
    for (std::size_t k = 1; k < outputs.size(); ++k) {
      ASSERT_EQ(outputs[0].size(), outputs[k].size());
      for (std::size_t i = 0; i < outputs[0].size(); ++i) {
        EXPECT_TRUE(is_same(outputs[0][i], outputs[k][i]))
            << "back end " << k << ", output " << i << ", state " << state;
      }
    }
  }
}

class Backends : public testing::TestWithParam<std::filesystem::path> {};

// Kernels for M, f, C, A, b, q' of a model, one per back end.
TEST_P(Backends, AgreeOnTheEquationsOfMotionAtRandomStates) {
  const auto derived = equations::derive(test_support::model_of_file(GetParam()));
  ASSERT_TRUE(derived.has_value());
  const auto system = reaction_laws::close(*derived);
  ASSERT_TRUE(system.has_value());
  const equations::System& equations = **system;
  codegen::KernelSpec spec;
  spec.name = "equations";
  spec.inputs = sim::report_symbols(equations);  // all symbols that implicit equations may contain
  spec.parameters = equations.parameters;
  const auto add = [&spec](const std::vector<expr::Expr>& more) {
    spec.outputs.insert(spec.outputs.end(), more.begin(), more.end());
  };
  for (const auto* part : {&equations.q_dot, &equations.z_dot, &equations.M.get(), &equations.f, &equations.C})
    add(*part);
  for (const equations::Row& row : equations.rows) {
    add(row.A.dense());
    spec.outputs.push_back(row.b);
  }
  std::vector<double> parameters;
  for (const auto& parameter : equations.model->parameters) parameters.push_back(parameter.value);

  std::vector<sim::BoundKernel> kernels;
  for (const codegen::Backend backend :
       {codegen::Backend::kInterpreter, codegen::Backend::kTape, codegen::Backend::kNative}) {
    codegen::CompileReport report;
    const auto compiled_kernels = codegen::compile({&spec, 1}, {backend, ""}, &report);
    if (codegen::is_native_available()) {
      EXPECT_EQ(report.backend, backend) << report.note;
    }
    kernels.push_back({compiled_kernels.front(), compiled_kernels.front()->prepare(parameters)});
  }
  expect_same_at_random_states(kernels, spec.inputs.size());
}

// Kernels of the generated solvers that the motion uses.
TEST_P(Backends, AgreeOnTheGeneratedSolvesAtRandomStates) {
  const auto model = test_support::model_of_file(GetParam());
  const auto interpreter = compiled(model, codegen::Backend::kInterpreter);
  const auto tape = compiled(model, codegen::Backend::kTape);
  const auto native = compiled(model, codegen::Backend::kNative);
  for (const auto kernel : {&sim::Kernels::accelerations, &sim::Kernels::position, &sim::Kernels::velocity,
                            &sim::Kernels::top, &sim::Kernels::hidden}) {
    if (!((*tape).*kernel).kernel) continue;  // no such kernel: the model has no rows at this level
    expect_same_at_random_states(
        {(*interpreter).*kernel, (*tape).*kernel, (*native).*kernel},
        1 + static_cast<std::size_t>(tape->compiled->nq() + tape->compiled->nu() + tape->compiled->nz()));
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Backends, testing::ValuesIn(test_support::model_files()),
                         [](const auto& instance) { return instance.param.stem().string(); });

}  // namespace backends_test
}  // namespace vinculum
