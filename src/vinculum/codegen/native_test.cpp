#include "vinculum/codegen/native.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <thread>

#include "support/codegen/compile_at.hpp"
#include "support/codegen/same_bits.hpp"
#include "support/expr/random_expression.hpp"
#include "vinculum/codegen/background_compiler.hpp"
#include "vinculum/codegen/compiler_module.hpp"
#include "vinculum/codegen/native_kernel.hpp"
#include "vinculum/codegen/native_program.hpp"
#include "vinculum/codegen/tape_kernel.hpp"
#include "vinculum/expr/elementary/circular.hpp"

// Where this build or machine makes no native code, the same facts hold for the tapes that are taken instead.
namespace vinculum::codegen {
namespace {

namespace fs = std::filesystem;
using expr::Expr;
using expr::Graph;
using expr::Op;
using expr::RandomExpressions;
using native::Level;
using test_support::compile_at;
using test_support::evaluate_bound;
using test_support::is_same_bits;

std::shared_ptr<const Kernel> compile_one(const KernelSpec& spec, const std::string& cache_folder,
                                          CompileReport* report = nullptr) {
  return compile(std::span(&spec, 1), {Backend::kNative, cache_folder}, report)[0];
}

void expect_same_bits(const std::vector<double>& result, const std::vector<double>& truth) {
  ASSERT_EQ(result.size(), truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    ASSERT_TRUE(is_same_bits(result[i], truth[i])) << "output " << i << ": " << result[i] << " for " << truth[i];
  }
}

/// About `operations` random operations of six inputs, two parameters; outputs spread over all of them.
KernelSpec large_spec(Graph& graph, std::size_t operations,
                      RandomExpressions::Kind kind = RandomExpressions::Kind::kSmooth) {
  RandomExpressions random(graph, 42, 8, kind);
  KernelSpec spec{"large",
                  {random.symbols().begin(), random.symbols().begin() + 6},
                  {random.symbols().begin() + 6, random.symbols().end()},
                  {}};
  while (graph.size() < operations + operations / 2) {
    for (int i = 0; i < 50; ++i) {
      const Expr e = random.next();
      if (i % 5 == 0) spec.outputs.push_back(e);
    }
  }
  return spec;
}

void wait_for_background() {
  if (BackgroundCompiler* background = background_compiler()) background->wait();
}

class NativeTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "native_test_XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    wait_for_background();
    fs::remove_all(folder_);
  }

  [[nodiscard]] std::vector<fs::path> cached() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_)) files.push_back(entry.path());
    return files;
  }

  std::string folder_;
};

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
  const double a = 1.0 + 0x1p-30, b = 1.0 - 0x1p-30;  // the product rounds to 1; fused, its error 2^-60 would show
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
  const auto kernels = compile(specs, {Backend::kNative, folder_});
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_EQ(evaluate_bound(*kernels[0], {2.0}, kernels[0]->prepare(std::vector{3.0})), std::vector{5.0});
  EXPECT_TRUE(evaluate_bound(*kernels[1], {}, {}).empty());
  EXPECT_EQ(evaluate_bound(*kernels[2], {2.0}, {}), (std::vector{4.0, expr::elementary::sine(2.0)}));
  EXPECT_EQ(cached().size(), is_native_available() ? 1u : 0u);
}

TEST_F(NativeTest, TakesTheSameProgramFromTheCacheWithTheSameBits) {
  Graph graph;
  const KernelSpec spec = large_spec(graph, 200);
  CompileReport cold, warm, other;
  const auto first = compile_one(spec, folder_, &cold);
  const auto second = compile_one(spec, folder_, &warm);
  EXPECT_FALSE(cold.from_cache);
  EXPECT_EQ(warm.from_cache, is_native_available());
  EXPECT_EQ(warm.backend, is_native_available() ? Backend::kNative : Backend::kTape);
  const std::vector<double> inputs(6, 0.4), constants = first->prepare(std::vector{0.1, 0.2});
  expect_same_bits(evaluate_bound(*second, inputs, constants), evaluate_bound(*first, inputs, constants));

  KernelSpec changed = spec;
  changed.outputs[0] = changed.outputs[0] + 1.0;
  static_cast<void>(compile_one(changed, folder_, &other));
  EXPECT_FALSE(other.from_cache);
}

TEST_F(NativeTest, KernelsOfOneShapeAndDifferentParametersShareTheirCode) {
  Graph graph;
  const Expr x = graph.symbol("x"), p = graph.symbol("p");
  CompileReport report;
  static_cast<void>(compile_one({"one", {x}, {p}, {x * sine(p)}}, folder_));
  const auto kernel = compile_one({"other", {x}, {p}, {x * cosine(p)}}, folder_, &report);
  EXPECT_EQ(report.from_cache, is_native_available());  // what depends on parameters only is not compiled
  EXPECT_EQ(evaluate_bound(*kernel, {2.0}, kernel->prepare(std::vector{0.5})),
            std::vector{2.0 * expr::elementary::cosine(0.5)});
}

TEST_F(NativeTest, CompilesAgainWhenTheCachedFileIsDamaged) {
  Graph graph;
  const KernelSpec spec = large_spec(graph, 100);
  const auto first = compile_one(spec, folder_);
  const std::vector<double> inputs(6, 0.4), constants = first->prepare(std::vector{0.1, 0.2});
  for (const auto& file : cached()) {
    const auto size = fs::file_size(file);
    const auto flip_a_bit = [&] {
      std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
      stream.seekg(static_cast<std::streamoff>(size - 10));
      const int byte = stream.get();
      stream.seekp(static_cast<std::streamoff>(size - 10));
      stream.put(static_cast<char>(byte ^ 1));
    };
    const std::vector<std::function<void()>> damages{flip_a_bit, [&] { fs::resize_file(file, size / 2); },
                                                     [&] { fs::resize_file(file, 0); },
                                                     [&] { std::ofstream(file) << "not code"; }};
    for (const auto& damage : damages) {
      damage();
      CompileReport again, repaired;
      const auto second = compile_one(spec, folder_, &again);
      EXPECT_FALSE(again.from_cache);
      expect_same_bits(evaluate_bound(*second, inputs, constants), evaluate_bound(*first, inputs, constants));
      static_cast<void>(compile_one(spec, folder_, &repaired));
      EXPECT_TRUE(repaired.from_cache);
    }
  }
}

TEST_F(NativeTest, RunsWithoutACacheWhereNoneCanBeKept) {
  Graph graph;
  const KernelSpec spec = large_spec(graph, 100);
  std::ofstream(folder_ + "/file") << "x";
  for (const std::string& folder : {std::string(), folder_ + "/file/below"}) {
    CompileReport report;
    const auto kernel = compile_one(spec, folder, &report);
    EXPECT_EQ(report.backend, is_native_available() ? Backend::kNative : Backend::kTape);
    EXPECT_FALSE(report.from_cache);
    EXPECT_EQ(evaluate_bound(*kernel, std::vector<double>(6, 0.1), kernel->prepare(std::vector{0.1, 0.2})).size(),
              spec.outputs.size());
  }
}

TEST_F(NativeTest, LargeKernelIsCachedAtOnceAndAgainWhenItsBetterCodeIsReady) {
  Graph graph;
  const KernelSpec spec = large_spec(graph, 4000);
  CompileReport report;
  const auto kernel = compile_one(spec, folder_, &report);
  EXPECT_FALSE(report.from_cache);
  wait_for_background();
  EXPECT_EQ(cached().size(), is_native_available() ? 2u : 0u);
  const auto again = compile_one(spec, folder_, &report);
  EXPECT_EQ(report.from_cache, is_native_available());
  const std::vector<double> inputs(6, 0.4), constants = kernel->prepare(std::vector{0.1, 0.2});
  expect_same_bits(evaluate_bound(*again, inputs, constants), evaluate_bound(*kernel, inputs, constants));
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

TEST_F(NativeTest, ProcessesThatCompileTheSameKernelAtOnceAllGetIt) {
  Graph graph;
  const KernelSpec spec = large_spec(graph, 300);
  const auto tape = compile(std::span(&spec, 1), {Backend::kTape, ""})[0];
  const std::vector<double> inputs(6, 0.2), constants = tape->prepare(std::vector{0.1, 0.2});
  const std::vector<double> truth = evaluate_bound(*tape, inputs, constants);
  std::vector<pid_t> children;
  for (int k = 0; k < 4; ++k) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      bool is_right = true;
      for (int round = 0; round < 5; ++round) {
        const std::vector<double> result = evaluate_bound(*compile_one(spec, folder_), inputs, constants);
        for (std::size_t i = 0; i < truth.size(); ++i) is_right = is_right && is_same_bits(result[i], truth[i]);
      }
      ::_exit(is_right ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(cached().size(), is_native_available() ? 1u : 0u);
}

/// Runs the named test of this program in a new process, where the variable is set. \returns its exit status.
int run_in_new_process(const std::string& test, const char* variable, const std::string& value) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv(variable, value.c_str(), 1);
    const int quiet = ::open("/dev/null", O_WRONLY);
    ::dup2(quiet, STDOUT_FILENO);
    ::execl("/proc/self/exe", "codegen_test", ("--gtest_filter=" + test).c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  int status = -1;
  return ::waitpid(child, &status, 0) == child ? status : -1;
}

bool is_llvm_loaded() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find("LLVM") != std::string::npos) return true;
  }
  return false;
}

TEST_F(NativeTest, LoadsNoCompilerInANewProcessThatFindsItsKernelsCached) {
  Graph graph;
  const KernelSpec spec = large_spec(graph, 400);
  if (const char* folder = std::getenv("VINCULUM_TEST_WARM_CACHE")) {
    CompileReport report;
    const auto kernel = compile_one(spec, folder, &report);
    EXPECT_EQ(report.from_cache, !find_compiler_module().empty());
    EXPECT_FALSE(is_llvm_loaded());
    return;
  }
  static_cast<void>(compile_one(spec, folder_));
  EXPECT_EQ(is_llvm_loaded(), is_native_available());
  EXPECT_EQ(run_in_new_process("NativeTest.LoadsNoCompilerInANewProcessThatFindsItsKernelsCached",
                               "VINCULUM_TEST_WARM_CACHE", folder_),
            0);
}

TEST_F(NativeTest, ProcessEndsCleanlyWhileTheBackgroundStillCompiles) {
  if (const char* folder = std::getenv("VINCULUM_TEST_EARLY_END")) {
    Graph graph;
    static_cast<void>(compile_one(large_spec(graph, 20000), folder));
    std::exit(HasFailure() ? 1 : 0);  // without TearDown: nobody waits for the better code
  }
  for (const char* cache : {"empty", "holding the code that is ready soonest"}) {
    EXPECT_EQ(run_in_new_process("NativeTest.ProcessEndsCleanlyWhileTheBackgroundStillCompiles",
                                 "VINCULUM_TEST_EARLY_END", folder_),
              0)
        << "cache " << cache;
  }
  EXPECT_EQ(cached().size(), is_native_available() ? 2u : 0u) << "the code that was ready soonest, and its use";
}

// 4000 operations take some 80 ms to compile with optimization; each of these uses lasts a quarter of that.
TEST_F(NativeTest, ShortUsesThatTogetherLastAsLongAsCompilingReachTheBestCode) {
  Graph graph;
  const KernelSpec spec = large_spec(graph, 4000);
  const Tape tape = make_tape(spec);
  if (const char* folder = std::getenv("VINCULUM_TEST_SHORT_USE")) {
    {
      const auto kernel = compile_one(spec, folder);
      std::this_thread::sleep_for(tape.main.instructions.size() * std::chrono::microseconds(5));
    }
    std::exit(HasFailure() ? 1 : 0);  // without TearDown: nobody waits for the better code
  }
  if (!is_native_available()) GTEST_SKIP() << "no native code";
  const auto use = [&] {
    ASSERT_EQ(run_in_new_process("NativeTest.ShortUsesThatTogetherLastAsLongAsCompilingReachTheBestCode",
                                 "VINCULUM_TEST_SHORT_USE", folder_),
              0);
  };
  use();
  EXPECT_EQ(cached().size(), 2u) << "the code that was ready soonest, and its use";
  for (int k = 0; k < 5; ++k) use();
  EXPECT_EQ(cached().size(), 3u) << "and the best";
}

}  // namespace
}  // namespace vinculum::codegen
