#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "support/base/count_allocations.hpp"
#include "support/models.hpp"
#include "vinculum/compiled/values.hpp"
#include "vinculum/reaction_laws/law_table.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/invariants/invariants.hpp"

// New parameter values with the same kernels must give the same bits as a model that is compiled with these values.
namespace vinculum {
namespace parameter_values_test {

using sim::Binding;

struct Fresh {
  std::shared_ptr<const Binding> bound;  ///< null if the model is not valid with this value
};

/// The model of a file, compiled with a parameter value as the option `--set` sets it.
Fresh fresh_plant(const std::string& text, const std::string& name, const model::Model& model,
                  const model::Parameter& parameter, double value) {
  const std::string unit = parameter.dimension.is_dimensionless() ? "rad" : si_unit(parameter.dimension);
  const elaborate::ParameterOverride set{
      parameter.name, model.has_units ? fmt::format("{:.17g} [{}]", value, unit) : fmt::format("{:.17g}", value)};
  diag::SourceText source(name, text);
  diag::Diagnostics diagnostics;
  const lang::ModelFile file = lang::parse(source, reaction_laws::laws().forms(), diagnostics);
  const auto changed =
      elaborate::elaborate(file, source, {std::filesystem::path(VINCULUM_MODELS), std::span(&set, 1)}, diagnostics);
  if (!changed) return {};
  sim::CompileSettings settings;
  settings.conserved_judge = sim::judge_conserved;
  settings.codegen.backend = codegen::Backend::kTape;
  auto bound = sim::compile_model(changed, settings);
  return {bound ? *bound : nullptr};
}

bool is_same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

void expect_same_kernels(const Binding& a, const Binding& b) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (const auto place : sim::kKernels) {
    const sim::BoundKernel &first = a.*place, &second = b.*place;
    ASSERT_EQ(first.kernel == nullptr, second.kernel == nullptr);
    if (!first.kernel) continue;
    ASSERT_EQ(first.kernel->output_count(), second.kernel->output_count());
    std::vector<double> inputs(first.kernel->input_count());
    for (double& x : inputs) x = uniform(random);
    const auto outputs_of = [&inputs](const sim::BoundKernel& bound) {
      std::vector<double> outputs(bound.kernel->output_count()), workspace(bound.kernel->workspace_size());
      bound.evaluate(inputs.data(), outputs.data(), workspace.data());
      return outputs;
    };
    const std::vector<double> of_first = outputs_of(first), of_second = outputs_of(second);
    for (std::size_t i = 0; i < of_first.size(); ++i)
      ASSERT_TRUE(is_same(of_first[i], of_second[i]) || (std::isnan(of_first[i]) && std::isnan(of_second[i])));
  }
}

sim::Trajectory short_run(const std::shared_ptr<const Binding>& bound) {
  sim::SimulateOptions options = sim::options_of(*bound->compiled->model);
  options.duration = std::min(0.05, options.duration > 0.0 ? options.duration : 0.05);
  options.output_step = 0.0;
  sim::Dynamics dynamics(bound);
  return sim::simulate(dynamics, options);
}

void expect_same_motion(const sim::Trajectory& a, const sim::Trajectory& b) {
  ASSERT_EQ(a.stopped.has_value(), b.stopped.has_value());
  ASSERT_EQ(a.samples.size(), b.samples.size());
  for (std::size_t k = 0; k < a.samples.size(); ++k) {
    const sim::Sample &first = a.samples[k], &second = b.samples[k];
    ASSERT_TRUE(is_same(first.t, second.t));
    for (Eigen::Index i = 0; i < first.q.size(); ++i) ASSERT_TRUE(is_same(first.q[i], second.q[i]));
    for (Eigen::Index i = 0; i < first.u.size(); ++i) ASSERT_TRUE(is_same(first.u[i], second.u[i]));
    const Vector &lambda = first.reaction.lambda(), &other = second.reaction.lambda();
    for (Eigen::Index i = 0; i < lambda.size(); ++i)
      ASSERT_TRUE(is_same(lambda[i], other[i]) || (std::isnan(lambda[i]) && std::isnan(other[i])));
  }
}

class ParameterValues : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(ParameterValues, GiveTheBitsOfAFreshCompile) {
  const std::string text = test_support::read_text(GetParam()), name = GetParam().filename().string();
  const auto model = test_support::model_of_text(text, name);
  const auto bound = test_support::compiled(model);
  for (const model::Parameter& parameter : model->parameters) {
    SCOPED_TRACE(parameter.name);
    const double value = parameter.value == 0.0 ? 0.0625 : 1.0625 * parameter.value;
    const sim::ParameterValue set{parameter.name, value};
    const auto rebound = sim::with(*bound, std::span(&set, 1));
    const Fresh fresh = fresh_plant(text, name, *model, parameter, value);
    if (!rebound) {
      // The new value may be rejected for two reasons. It, or a parameter defined by it, was used while the model was
      // built; or the newly compiled model is rejected too.
      const auto fault = std::ranges::find(model->parameters, rebound.error().parameter, &model::Parameter::name);
      ASSERT_NE(fault, model->parameters.end()) << rebound.error().reason;
      EXPECT_TRUE(!fault->fixed_by.empty() || !fresh.bound) << rebound.error().reason;
      continue;
    }
    ASSERT_TRUE(fresh.bound) << "there is no model with this value";
    EXPECT_EQ((*rebound)->parameters, fresh.bound->parameters);
    expect_same_kernels(**rebound, *fresh.bound);
    expect_same_motion(short_run(*rebound), short_run(fresh.bound));
  }
}

INSTANTIATE_TEST_SUITE_P(Models, ParameterValues, testing::ValuesIn(test_support::model_files()),
                         [](const auto& instance) { return instance.param.stem().string(); });

constexpr std::string_view kChain = R"(model chain "Two masses on a line"
frame N newtonian
point O fixed in N
param m = 2 [kg], half = m/2, k = 3 [N/m], n = 2, T = 1 [s]
coord x, y [m]
particle A mass m at O + x*N.x
particle B mass half at O + y*N.x
if n > 1 {
  spring A B stiffness k length 1 [m]
}
start x = 0, y = 1.5
run 2*T
)";

TEST(ValuesOfAPlant, FollowTheirDefinitions) {
  const auto bound = test_support::compiled(test_support::model_of_text(std::string(kChain)));
  const sim::ParameterValue m{"m", 5.0};
  const auto heavy = sim::with(*bound, std::span(&m, 1));
  ASSERT_TRUE(heavy);
  EXPECT_EQ((*heavy)->parameters[1], 2.5);
  const sim::ParameterValue both[] = {{"half", 7.0}, {"m", 4.0}};
  EXPECT_EQ((*sim::with(*bound, both))->parameters[1], 7.0);
  const auto set = sim::with(*bound, std::span(both, 1));
  EXPECT_EQ((*sim::with(**set, std::span(&m, 1)))->parameters[1], 7.0) << "a value once set stays";
}

TEST(ValuesOfAPlant, AreRefusedByName) {
  const auto bound = test_support::compiled(test_support::model_of_text(std::string(kChain)));
  const auto reason = [&](const std::string& name, double value) {
    const sim::ParameterValue one{name, value};
    const auto refused = sim::with(*bound, std::span(&one, 1));
    return refused ? std::string() : refused.error().parameter + ": " + refused.error().reason;
  };
  EXPECT_EQ(reason("n", 3.0), "n: `n` is read when the model is built, by the condition of an `if`");
  EXPECT_EQ(reason("n", 2.0), "") << "the value it has";
  EXPECT_EQ(reason("T", 2.0), "T: `T` is read when the model is built, by the length of a run");
  EXPECT_EQ(reason("m", -1.0), "m: in a model the mass of `A` must not be negative");
  EXPECT_EQ(reason("k", std::nan("")), "k: `k` is a finite number");
  EXPECT_EQ(reason("q", 1.0), "q: the model has no parameter `q`");
}

/// A chain of n particles connected by springs.
std::shared_ptr<const Binding> springs(int n) {
  std::string text = "model m\nframe N newtonian\npoint O fixed in N\nparam k = 3, m = 0.5\ncoord ";
  for (int i = 0; i < n; ++i) text += fmt::format("{}x{}", i == 0 ? "" : ", ", i);
  std::string place = "O";
  for (int i = 0; i < n; ++i) {
    text += fmt::format("\nparticle P{0} mass m at {1} + x{0}*N.x", i, place);
    place = fmt::format("P{}", i);
  }
  text += "\nforce on P0 = -k*x0*N.x\nrun 1\n";
  return test_support::compiled(test_support::model_of_text(text));
}

// The structure of the model is not copied, so twenty times as many equations need the same number of allocations.
TEST(ParameterValues, TakeAsManyAllocationsForAnySizeOfTheModel) {
#ifdef VINCULUM_COUNTS_ALLOCATIONS
  const auto allocations_of = [](int n) {
    const auto bound = springs(n);
    const sim::ParameterValue value[] = {{"k", 4.0}};
    const long before = allocations;
    const auto changed = sim::with(*bound, value);
    const long count = allocations - before;
    EXPECT_TRUE(changed);
    EXPECT_EQ((*changed)->compiled, bound->compiled);
    return count;
  };
  const long few = allocations_of(2), many = allocations_of(40);
  EXPECT_LE(many, few + 10);
  EXPECT_LE(few, 200);
#else
  GTEST_SKIP() << "this build does not count allocations";
#endif
}

}  // namespace parameter_values_test
}  // namespace vinculum
