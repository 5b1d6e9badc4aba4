#include "vinculum/codegen/native.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <thread>

#include "support/codegen/compile_at.hpp"
#include "support/codegen/native_kernels.hpp"
#include "vinculum/codegen/compiler_module.hpp"
#include "vinculum/codegen/native_kernel.hpp"
#include "vinculum/codegen/native_program.hpp"
#include "vinculum/codegen/tape_kernel.hpp"
#include "vinculum/expr/elementary/circular.hpp"

// If this build or machine cannot generate native code, these tests check the tapes that are used instead.
namespace vinculum::codegen {
namespace {

using expr::Expr;
using expr::Graph;
using expr::Op;
using expr::RandomExpressions;
using native::Level;
using test_support::compile_at;
using test_support::compile_one;
using test_support::evaluate_bound;
using test_support::expect_same_bits;
using test_support::is_same_bits;
using test_support::large_spec;
using test_support::wait_for_background;

class NativeTest : public test_support::WithKernelCache {};

TEST(NativeOperation, GivesTheBitsOfItsDefinitionForSpecialValuesAtBothLevels) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double tiny = std::numeric_limits<double>::denorm_min();
  const std::vector<double> values{0.0,   -0.0,    1.0,  -1.0,  0.5,      -0.5,      2.5,
                                   -2.5,  3.0,     1e-9, 709.5, -745.2,   1e8,       -1e22,
                                   1e300, -1e-300, tiny, -tiny, infinity, -infinity, std::nan("")};
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y"), z = graph.symbol("z");
  std::vector<Op> operations;
  KernelSpec spec{"operations", {x, y, z}, {}, {}};
  for (const expr::OperationInfo& info : expr::operation_table()) {
    if (info.arity == 0 || info.op == Op::kTable) continue;
    operations.push_back(info.op);
    spec.outputs.push_back(graph.make(info.op, x, info.arity > 1 ? y : Expr{}, info.arity > 2 ? z : Expr{}));
  }
  const Tape tape = make_tape(spec);
  std::vector<std::shared_ptr<const Kernel>> kernels{make_tape_kernel(tape)};
  for (const Level level : {Level::kFast, Level::kFull}) {
    if (auto kernel = compile_at(level, tape)) kernels.push_back(kernel);
  }
  ASSERT_EQ(kernels.size(), is_native_available() ? 3u : 1u);
  for (const auto& kernel : kernels) {
    for (const double a : values) {
      for (const double b : values) {
        for (const double c : {2.0, -0.0, infinity, std::nan("")}) {
          const std::vector<double> result = evaluate_bound(*kernel, {a, b, c}, kernel->prepare({}));
          for (std::size_t k = 0; k < operations.size(); ++k) {
            const double truth = expr::evaluate_operation(operations[k], a, b, c);
            ASSERT_TRUE(is_same_bits(result[k], truth))
                << expr::operation_info(operations[k]).name << expr::operation_info(operations[k]).infix << " of " << a
                << ", " << b << ", " << c << ": " << result[k] << " for " << truth;
          }
        }
      }
    }
  }
}

TEST(NativeOperation, SineAndCosineOfOneArgumentAreThoseOfTheTape) {
  Graph graph;
  const Expr x = graph.symbol("x");
  const KernelSpec spec{"pair", {x}, {}, {cosine(x), sine(x)}};
  const auto kernel = compile_one(spec, "");
  std::mt19937_64 random(5);
  for (int i = 0; i < 200000; ++i) {
    const double angle = i % 2 == 0 ? std::bit_cast<double>(random())
                                    : std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), -60);
    expect_same_bits(evaluate_bound(*kernel, {angle}, {}),
                     {expr::elementary::cosine(angle), expr::elementary::sine(angle)});
    if (HasFatalFailure()) FAIL() << "at " << angle;
  }
}

TEST(NativeOperation, ContractsNoProductIntoASum) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y"), z = graph.symbol("z");
  const Tape tape = make_tape({"contraction", {x, y, z}, {}, {x * y + z, x * y - z, z - x * y}});
  // The product rounds to 1. A fused multiply-add would instead give a result with its rounding error, 2^-60.
  const double a = 1.0 + 0x1p-30, b = 1.0 - 0x1p-30;
  for (const Level level : {Level::kFast, Level::kFull}) {
    const auto kernel = compile_at(level, tape);
    EXPECT_EQ(evaluate_bound(kernel == nullptr ? *make_tape_kernel(tape) : *kernel, {a, b, 1.0}, {}),
              (std::vector{2.0, 0.0, 0.0}));
  }
}

TEST_F(NativeTest, LargeKernelGivesTheTapesBitsBeforeAndAfterItsCodeIsExchanged) {
  Graph graph;
  const KernelSpec spec = large_spec(graph, 20000, RandomExpressions::Kind::kAny);
  const auto tape = compile(std::span(&spec, 1), {Backend::kTape, ""})[0];
  ASSERT_GT(tape->operation_count(), 10000u);
  const auto kernel = compile_one(spec, "");
  const std::vector<double> parameters{0.25, -0.75};
  const std::vector<double> constants = kernel->prepare(parameters);
  expect_same_bits(constants, tape->prepare(parameters));
  RandomExpressions random(graph, 9, 6, RandomExpressions::Kind::kAny);
  for (int round = 0; round < 2; ++round) {
    for (int sample = 0; sample < 30; ++sample) {
      const std::vector<double> inputs = random.values();
      expect_same_bits(evaluate_bound(*kernel, inputs, constants), evaluate_bound(*tape, inputs, constants));
    }
    wait_for_background();
  }
}

TEST_F(NativeTest, StoresAnyNumberOfOutputsThatAreNoOperations) {
  for (const int count : {249, 250, 251, 500, 1300}) {
    Graph graph;
    KernelSpec spec{"leaves", {}, {graph.symbol("p")}, {}};
    for (int i = 0; i < count; ++i) spec.inputs.push_back(graph.symbol("x" + std::to_string(i)));
    for (const Expr x : spec.inputs) spec.outputs.push_back(x);
    for (int i = 0; i < count; ++i) spec.outputs.push_back(graph.constant(0.5 * i));
    spec.outputs.push_back(spec.parameters[0]);
    spec.outputs.push_back(spec.inputs[0] * spec.inputs[1]);
    const Tape tape = make_tape(spec);
    std::vector<double> inputs(spec.inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = 1.0 + 0.25 * static_cast<double>(i);
    for (const Level level : {Level::kFast, Level::kFull}) {
      const auto kernel = compile_at(level, tape);
      if (kernel == nullptr) GTEST_SKIP() << "no native code";
      const std::vector<double> outputs = evaluate_bound(*kernel, inputs, kernel->prepare(std::vector<double>{7.0}));
      ASSERT_EQ(outputs.size(), spec.outputs.size());
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        EXPECT_EQ(outputs[i], inputs[i]);
        EXPECT_EQ(outputs[inputs.size() + i], 0.5 * static_cast<double>(i));
      }
      EXPECT_EQ(outputs[2 * inputs.size()], 7.0);
      EXPECT_EQ(outputs.back(), inputs[0] * inputs[1]);
    }
  }
}

TEST_F(NativeTest, ThreadsWithWorkspacesOfTheirOwnShareAKernelWhileItsCodeIsExchanged) {
  Graph graph;
  const KernelSpec spec = large_spec(graph, 6000);
  const auto kernel = compile_one(spec, "");
  const std::vector<double> constants = kernel->prepare(std::vector{0.3, 0.4});
  const auto inputs = [](int thread) { return std::vector<double>(6, 0.1 * (thread + 1)); };
  const auto truth = [&](int thread) {
    return evaluate_bound(*compile(std::span(&spec, 1), {Backend::kTape, ""})[0], inputs(thread), constants);
  };
  std::atomic<bool> is_done{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&, t] {
      const std::vector<double> expected = truth(t);
      for (int after = 0; after < 50; after += is_done ? 1 : 0) {
        const std::vector<double> result = evaluate_bound(*kernel, inputs(t), constants);
        for (std::size_t i = 0; i < result.size(); ++i) wrong += is_same_bits(result[i], expected[i]) ? 0 : 1;
      }
    });
  }
  wait_for_background();
  is_done = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(NativeTest, SeveralSpecsBecomeKernelsInTheirOrder) {
  Graph graph;
  const Expr x = graph.symbol("x"), p = graph.symbol("p");
  const std::vector<KernelSpec> specs{
      {"first", {x}, {p}, {x + p}}, {"nothing", {}, {}, {}}, {"third", {x}, {}, {x * x, sine(x)}}};
  const auto kernels = compile(specs, {Backend::kNative, folder()});
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_EQ(evaluate_bound(*kernels[0], {2.0}, kernels[0]->prepare(std::vector{3.0})), std::vector{5.0});
  EXPECT_TRUE(evaluate_bound(*kernels[1], {}, {}).empty());
  EXPECT_EQ(evaluate_bound(*kernels[2], {2.0}, {}), (std::vector{4.0, expr::elementary::sine(2.0)}));
  EXPECT_EQ(cached().size(), is_native_available() ? 1u : 0u);
}

TEST_F(NativeTest, LargeKernelsCompiledByOtherThreadsGiveTheSameBits) {
  Graph graph;
  const KernelSpec spec = large_spec(graph, 3000);
  const std::vector<double> inputs(6, 0.2);
  std::vector<std::vector<double>> results(2);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < results.size(); ++t) {
    threads.emplace_back([&, t] {
      EXPECT_EQ(background_compiler(), nullptr);
      const auto kernel = compile_one(spec, "");
      results[t] = evaluate_bound(*kernel, inputs, kernel->prepare(std::vector{0.1, 0.2}));
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto tape = compile(std::span(&spec, 1), {Backend::kTape, ""})[0];
  for (const auto& result : results)
    expect_same_bits(result, evaluate_bound(*tape, inputs, tape->prepare(std::vector{0.1, 0.2})));
}

}  // namespace
}  // namespace vinculum::codegen
