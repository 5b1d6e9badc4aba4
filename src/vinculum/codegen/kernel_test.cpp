#include "vinculum/codegen/kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <new>

#include "support/codegen/same_bits.hpp"
#include "support/expr/random_expression.hpp"
#include "vinculum/base/contract.hpp"
#include "vinculum/expr/elementary/circular.hpp"
#include "vinculum/expr/interpreter.hpp"

namespace {
thread_local std::size_t allocation_count = 0;
}  // namespace

// Not inlined. Otherwise the compiler would see memory from malloc passed to an operator delete that it takes for the
// library's own.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocation_count;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
// LLVM allocates with this operator, and frees the memory with the operator delete below.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace vinculum::codegen {
namespace {

using expr::Expr;
using expr::Graph;
using expr::Op;
using expr::RandomExpressions;
using test_support::is_same_bits;

std::shared_ptr<const Kernel> compile_one(const KernelSpec& spec, Backend backend) {
  CompileOptions options;
  options.backend = backend;
  return compile(std::span(&spec, 1), options)[0];
}

std::vector<double> evaluate(const Kernel& kernel, const std::vector<double>& inputs,
                             const std::vector<double>& parameters) {
  const std::vector<double> constants = kernel.prepare(parameters);
  EXPECT_EQ(constants.size(), kernel.constant_count());
  std::vector<double> outputs(kernel.output_count());
  std::vector<double> workspace(kernel.workspace_size(), std::nan(""));
  kernel.evaluate(inputs.data(), constants.data(), outputs.data(), workspace.data());
  return outputs;
}

constexpr Backend kAllBackends[] = {Backend::kInterpreter, Backend::kTape, Backend::kNative};

TEST(Kernel, GivesTheSameBitsInEveryBackEndOnRandomExpressions) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph;
    RandomExpressions random(graph, seed, 8, RandomExpressions::Kind::kAny);
    KernelSpec spec{"random",
                    {random.symbols().begin(), random.symbols().begin() + 5},
                    {random.symbols().begin() + 5, random.symbols().end()},
                    {}};
    for (int i = 0; i < 300; ++i) {
      const Expr e = random.next();
      if (i % 7 == 0) spec.outputs.push_back(e);
    }
    spec.outputs.insert(spec.outputs.end(), {spec.inputs[0], spec.parameters[0], graph.constant(2.5)});
    std::vector<std::shared_ptr<const Kernel>> kernels;
    for (const Backend backend : kAllBackends) kernels.push_back(compile_one(spec, backend));
    for (int sample = 0; sample < 20; ++sample) {
      const std::vector<double> values = random.values();
      const std::vector<double> truth = expr::interpret(spec.outputs, random.symbols(), values);
      for (const auto& kernel : kernels) {
        const std::vector<double> result =
            evaluate(*kernel, {values.begin(), values.begin() + 5}, {values.begin() + 5, values.end()});
        ASSERT_EQ(result.size(), truth.size());
        for (std::size_t i = 0; i < truth.size(); ++i) {
          ASSERT_TRUE(is_same_bits(result[i], truth[i])) << "output " << i << ": " << result[i] << " for " << truth[i];
        }
      }
    }
  }
}

TEST(Kernel, AllocatesNothingInEvaluate) {
  Graph graph;
  RandomExpressions random(graph, 7, 6, RandomExpressions::Kind::kAny);
  KernelSpec spec{"quiet",
                  {random.symbols().begin(), random.symbols().begin() + 4},
                  {random.symbols().begin() + 4, random.symbols().end()},
                  {}};
  for (int i = 0; i < 500; ++i) spec.outputs.push_back(random.next());
  for (const Backend backend : kAllBackends) {
    const auto kernel = compile_one(spec, backend);
    const std::vector<double> constants = kernel->prepare(std::vector<double>{0.3, -0.4});
    const std::vector<double> inputs{0.1, -0.2, 0.7, 0.0};
    std::vector<double> outputs(kernel->output_count()), workspace(kernel->workspace_size());
    const std::size_t before = allocation_count;
    kernel->evaluate(inputs.data(), constants.data(), outputs.data(), workspace.data());
    EXPECT_EQ(allocation_count, before) << to_string(backend);
  }
  EXPECT_GT(allocation_count, 0u);  // the counter counts allocations
}

TEST(Kernel, PassesInputsParametersAndConstantsThrough) {
  Graph graph;
  const Expr x = graph.symbol("x"), p = graph.symbol("p");
  const KernelSpec spec{"through", {x}, {p}, {p, graph.constant(3.0), x, p * 2.0, x}};
  for (const Backend backend : kAllBackends) {
    EXPECT_EQ(evaluate(*compile_one(spec, backend), {5.0}, {7.0}), (std::vector<double>{7.0, 3.0, 5.0, 14.0, 5.0}));
  }
}

TEST(Kernel, MayHaveNoOutputsAndNoInputs) {
  Graph graph;
  const KernelSpec nothing{"nothing", {graph.symbol("x")}, {}, {}};
  const KernelSpec constant{"constant", {}, {}, {graph.constant(1.5)}};
  for (const Backend backend : kAllBackends) {
    EXPECT_TRUE(evaluate(*compile_one(nothing, backend), {1.0}, {}).empty());
    EXPECT_EQ(evaluate(*compile_one(constant, backend), {}, {}), std::vector<double>{1.5});
  }
}

TEST(Kernel, NamesASymbolThatIsNeitherInputNorParameter) {
  Graph graph;
  const Expr x = graph.symbol("x"), stray = graph.symbol("stray");
  const KernelSpec spec{"rows", {x}, {}, {x + stray}};
  for (const Backend backend : kAllBackends) {
    try {
      static_cast<void>(compile_one(spec, backend));
      FAIL() << "no error";
    } catch (const InternalError& error) {
      EXPECT_NE(std::string(error.what()).find("stray"), std::string::npos);
    }
  }
}

TEST(Kernel, ReportsTheBackEndThatWasTaken) {
  Graph graph;
  const Expr x = graph.symbol("x");
  const KernelSpec spec{"report", {x}, {}, {x * x}};
  for (const Backend backend : kAllBackends) {
    CompileOptions options;
    options.backend = backend;
    CompileReport report;
    static_cast<void>(compile(std::span(&spec, 1), options, &report));
    EXPECT_GE(report.seconds, 0.0);
    if (backend == Backend::kNative && !is_native_available()) {
      EXPECT_EQ(report.backend, Backend::kTape);
      EXPECT_FALSE(report.note.empty());
    } else {
      EXPECT_EQ(report.backend, backend);
    }
  }
}

TEST(Kernel, KeepsItsExpressionsWhenTheGraphIsGone) {
  for (const Backend backend : kAllBackends) {
    std::shared_ptr<const Kernel> kernel;
    {
      Graph graph;
      const Expr x = graph.symbol("x");
      const auto table =
          graph.add_table(std::make_shared<expr::Spline>("t", std::vector{0.0, 1.0}, std::vector{1.0, 3.0}));
      kernel = compile_one({"kept", {x}, {}, {graph.table(table, 0, x) + sine(x)}}, backend);
    }
    EXPECT_EQ(evaluate(*kernel, {0.5}, {}), std::vector<double>{2.0 + expr::elementary::sine(0.5)});
  }
}

TEST(Kernel, GivesTheSameBitsForTablesOfEveryKind) {
  using expr::Spline;
  Graph graph;
  const Expr x = graph.symbol("x");
  KernelSpec spec{"tables", {x}, {}, {}};
  for (const auto kind : {Spline::Kind::kSpline, Spline::Kind::kSmooth, Spline::Kind::kLinear, Spline::Kind::kHold})
    for (const auto reach : {Spline::Reach::kInside, Spline::Reach::kEndPieces, Spline::Reach::kPeriodic}) {
      const auto table =
          graph.add_table(std::make_shared<Spline>("t", std::vector{-1.0, 0.0, 0.3, 1.0, 2.2},
                                                   std::vector{1.0, 3.0, 3.0, -2.0, 1.0}, Spline::Shape{kind, reach}));
      for (int order = 0; order < 3; ++order) spec.outputs.push_back(graph.table(table, order, 1.0 * x));
    }
  const auto wanted = compile_one(spec, Backend::kInterpreter);
  for (const Backend backend : {Backend::kTape, Backend::kNative}) {
    const auto kernel = compile_one(spec, backend);
    for (double at = -7.0; at < 9.0; at += 0.1) {
      const std::vector<double> found = evaluate(*kernel, {at}, {}), bits = evaluate(*wanted, {at}, {});
      for (std::size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(is_same_bits(found[i], bits[i])) << at << " " << i;
    }
  }
}

TEST(DefaultCacheFolder, FollowsTheEnvironment) {
  setenv("VINCULUM_CACHE", "/a", 1);
  EXPECT_EQ(default_cache_folder(), "/a");
  unsetenv("VINCULUM_CACHE");
  setenv("XDG_CACHE_HOME", "/b", 1);
  EXPECT_EQ(default_cache_folder(), "/b/vinculum");
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", "/c", 1);
  EXPECT_EQ(default_cache_folder(), "/c/.cache/vinculum");
}

}  // namespace
}  // namespace vinculum::codegen
