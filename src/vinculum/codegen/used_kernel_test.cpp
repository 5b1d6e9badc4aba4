#include "vinculum/codegen/used_kernel.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <thread>

#include "support/codegen/compile_at.hpp"
#include "support/codegen/native_kernels.hpp"
#include "vinculum/codegen/background_compiler.hpp"

namespace vinculum::codegen {
namespace {

using test_support::wait_for_background;

class UsedKernelTest : public test_support::WithKernelCache {
 protected:
  UsedKernelTest() {
    const expr::Expr x = graph_.symbol("x"), y = graph_.symbol("y"), p = graph_.symbol("p");
    spec_ = {"used", {x, y}, {p}, {expr::sine(x * y + p) / y, x * x * y - p}};
  }
  [[nodiscard]] std::shared_ptr<const Kernel> kernel() const {
    return compile({&spec_, 1}, {Backend::kNative, folder(), true})[0];
  }
  /// Evaluates the kernel `count` times, and compares the bits with those of the tape.
  void use(const Kernel& kernel, unsigned count) const {
    const auto tape = compile({&spec_, 1}, {Backend::kTape, ""})[0];
    const std::vector<double> constants = kernel.prepare(std::vector{0.3});
    for (unsigned i = 0; i < count; ++i) {
      const std::vector<double> inputs{0.1 * i, 1.0 + i};
      const auto found = test_support::evaluate_bound(kernel, inputs, constants);
      const auto truth = test_support::evaluate_bound(*tape, inputs, constants);
      for (std::size_t k = 0; k < truth.size(); ++k) ASSERT_TRUE(test_support::is_same_bits(found[k], truth[k])) << i;
    }
  }

  expr::Graph graph_;
  KernelSpec spec_;
};

TEST_F(UsedKernelTest, IsCompiledOnceItWasUsedOftenAndKeepsItsBits) {
  const auto first = kernel();
  use(*first, kUsesThatPay - 1);
  wait_for_background();
  EXPECT_EQ(cached().size(), 0u);
  use(*first, 2);
  wait_for_background();
  EXPECT_EQ(cached().size(), is_native_available() ? 1u : 0u);
  use(*first, 100);
  use(*kernel(), 100);  // its code is loaded from the cache
}

TEST_F(UsedKernelTest, StaysATapeOnThreadsWithoutABackgroundCompiler) {
  const auto shared = kernel();
  std::thread([&] { use(*shared, kUsesThatPay + 100); }).join();
  wait_for_background();
  EXPECT_EQ(cached().size(), 0u);
}

TEST_F(UsedKernelTest, IsDroppedWhileItWaitsForTheCompiler) {
  use(*kernel(), kUsesThatPay);
  // whether the compiler starts before or after the kernel is destroyed, nothing refers to the kernel afterwards
  wait_for_background();
}

}  // namespace
}  // namespace vinculum::codegen
