// Native code in the cache, used by several processes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

#include "support/codegen/compile_at.hpp"
#include "support/codegen/native_kernels.hpp"
#include "vinculum/codegen/compiler_module.hpp"
#include "vinculum/codegen/native.hpp"
#include "vinculum/expr/elementary/circular.hpp"

namespace vinculum::codegen {
namespace {

namespace fs = std::filesystem;
using expr::Expr;
using expr::Graph;
using test_support::compile_one;
using test_support::evaluate_bound;
using test_support::expect_same_bits;
using test_support::is_same_bits;
using test_support::large_spec;
using test_support::wait_for_background;

class NativeCacheTest : public test_support::WithKernelCache {};

TEST_F(NativeCacheTest, TakesTheSameProgramFromTheCacheWithTheSameBits) {
  Graph graph;
  const KernelSpec spec = large_spec(graph, 200);
  CompileReport cold, warm, other;
  const auto first = compile_one(spec, folder(), &cold);
  const auto second = compile_one(spec, folder(), &warm);
  EXPECT_FALSE(cold.from_cache);
  EXPECT_EQ(warm.from_cache, is_native_available());
  EXPECT_EQ(warm.backend, is_native_available() ? Backend::kNative : Backend::kTape);
  const std::vector<double> inputs(6, 0.4), constants = first->prepare(std::vector{0.1, 0.2});
  expect_same_bits(evaluate_bound(*second, inputs, constants), evaluate_bound(*first, inputs, constants));

  KernelSpec changed = spec;
  changed.outputs[0] = changed.outputs[0] + 1.0;
  static_cast<void>(compile_one(changed, folder(), &other));
  EXPECT_FALSE(other.from_cache);
}

TEST_F(NativeCacheTest, KernelsOfOneShapeAndDifferentParametersShareTheirCode) {
  Graph graph;
  const Expr x = graph.symbol("x"), p = graph.symbol("p");
  CompileReport report;
  static_cast<void>(compile_one({"one", {x}, {p}, {x * sine(p)}}, folder()));
  const auto kernel = compile_one({"other", {x}, {p}, {x * cosine(p)}}, folder(), &report);
  // both kernels have the same code, because expressions of parameters alone are not compiled
  EXPECT_EQ(report.from_cache, is_native_available());
  EXPECT_EQ(evaluate_bound(*kernel, {2.0}, kernel->prepare(std::vector{0.5})),
            std::vector{2.0 * expr::elementary::cosine(0.5)});
}

TEST_F(NativeCacheTest, CompilesAgainWhenTheCachedFileIsDamaged) {
  Graph graph;
  const KernelSpec spec = large_spec(graph, 100);
  const auto first = compile_one(spec, folder());
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
      const auto second = compile_one(spec, folder(), &again);
      EXPECT_FALSE(again.from_cache);
      expect_same_bits(evaluate_bound(*second, inputs, constants), evaluate_bound(*first, inputs, constants));
      static_cast<void>(compile_one(spec, folder(), &repaired));
      EXPECT_TRUE(repaired.from_cache);
    }
  }
}

TEST_F(NativeCacheTest, RunsWithoutACacheWhereNoneCanBeKept) {
  Graph graph;
  const KernelSpec spec = large_spec(graph, 100);
  std::ofstream(folder() + "/file") << "x";
  for (const std::string& folder : {std::string(), folder() + "/file/below"}) {
    CompileReport report;
    const auto kernel = compile_one(spec, folder, &report);
    EXPECT_EQ(report.backend, is_native_available() ? Backend::kNative : Backend::kTape);
    EXPECT_FALSE(report.from_cache);
    EXPECT_EQ(evaluate_bound(*kernel, std::vector<double>(6, 0.1), kernel->prepare(std::vector{0.1, 0.2})).size(),
              spec.outputs.size());
  }
}

TEST_F(NativeCacheTest, LargeKernelIsCachedAtOnceAndAgainWhenItsBetterCodeIsReady) {
  Graph graph;
  const KernelSpec spec = large_spec(graph, 4000);
  CompileReport report;
  const auto kernel = compile_one(spec, folder(), &report);
  EXPECT_FALSE(report.from_cache);
  wait_for_background();
  EXPECT_EQ(cached().size(), is_native_available() ? 2u : 0u);
  const auto again = compile_one(spec, folder(), &report);
  EXPECT_EQ(report.from_cache, is_native_available());
  const std::vector<double> inputs(6, 0.4), constants = kernel->prepare(std::vector{0.1, 0.2});
  expect_same_bits(evaluate_bound(*again, inputs, constants), evaluate_bound(*kernel, inputs, constants));
}

TEST_F(NativeCacheTest, ProcessesThatCompileTheSameKernelAtOnceAllGetIt) {
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
        const std::vector<double> result = evaluate_bound(*compile_one(spec, folder()), inputs, constants);
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

/// Runs the named test of this program in a new process with an environment variable set.   \returns the exit status
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

TEST_F(NativeCacheTest, LoadsNoCompilerInANewProcessThatFindsItsKernelsCached) {
  Graph graph;
  const KernelSpec spec = large_spec(graph, 400);
  if (const char* folder = std::getenv("VINCULUM_TEST_WARM_CACHE")) {
    CompileReport report;
    const auto kernel = compile_one(spec, folder, &report);
    EXPECT_EQ(report.from_cache, !find_compiler_module().empty());
    EXPECT_FALSE(is_llvm_loaded());
    return;
  }
  static_cast<void>(compile_one(spec, folder()));
  EXPECT_EQ(is_llvm_loaded(), is_native_available());
  EXPECT_EQ(run_in_new_process("NativeCacheTest.LoadsNoCompilerInANewProcessThatFindsItsKernelsCached",
                               "VINCULUM_TEST_WARM_CACHE", folder()),
            0);
}

TEST_F(NativeCacheTest, ProcessEndsCleanlyWhileTheBackgroundStillCompiles) {
  if (const char* folder = std::getenv("VINCULUM_TEST_EARLY_END")) {
    Graph graph;
    static_cast<void>(compile_one(large_spec(graph, 20000), folder));
    std::exit(HasFailure() ? 1 : 0);  // without TearDown, which would wait for the optimized code
  }
  for (const char* cache : {"empty", "holding the code that is ready soonest"}) {
    EXPECT_EQ(run_in_new_process("NativeCacheTest.ProcessEndsCleanlyWhileTheBackgroundStillCompiles",
                                 "VINCULUM_TEST_EARLY_END", folder()),
              0)
        << "cache " << cache;
  }
  EXPECT_EQ(cached().size(), is_native_available() ? 2u : 0u) << "the code that was ready soonest, and its use";
}

// An optimizing compilation of 4000 operations takes about 80 ms. Each use in this test lasts a quarter of that.
TEST_F(NativeCacheTest, ShortUsesThatTogetherLastAsLongAsCompilingReachTheBestCode) {
  Graph graph;
  const KernelSpec spec = large_spec(graph, 4000);
  const Tape tape = make_tape(spec);
  if (const char* folder = std::getenv("VINCULUM_TEST_SHORT_USE")) {
    {
      const auto kernel = compile_one(spec, folder);
      std::this_thread::sleep_for(tape.main.instructions.size() * std::chrono::microseconds(5));
    }
    std::exit(HasFailure() ? 1 : 0);  // without TearDown, which would wait for the optimized code
  }
  if (!is_native_available()) GTEST_SKIP() << "no native code";
  const auto use = [&] {
    ASSERT_EQ(run_in_new_process("NativeCacheTest.ShortUsesThatTogetherLastAsLongAsCompilingReachTheBestCode",
                                 "VINCULUM_TEST_SHORT_USE", folder()),
              0);
  };
  use();
  EXPECT_EQ(cached().size(), 2u) << "the code that was ready soonest, and its use";
  for (int k = 0; k < 5; ++k) use();
  EXPECT_EQ(cached().size(), 3u) << "and the best";
}

}  // namespace
}  // namespace vinculum::codegen
