#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "support/codegen/same_bits.hpp"
#include "support/expr/random_expression.hpp"
#include "support/folder.hpp"
#include "vinculum/codegen/background_compiler.hpp"
#include "vinculum/codegen/kernel.hpp"

/// Native kernels of random programs, with a separate cache for each test.
namespace vinculum::test_support {

inline std::shared_ptr<const codegen::Kernel> compile_one(const codegen::KernelSpec& spec,
                                                          const std::string& cache_folder,
                                                          codegen::CompileReport* report = nullptr) {
  return codegen::compile(std::span(&spec, 1), {codegen::Backend::kNative, cache_folder}, report)[0];
}

inline void expect_same_bits(const std::vector<double>& result, const std::vector<double>& truth) {
  ASSERT_EQ(result.size(), truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    ASSERT_TRUE(is_same_bits(result[i], truth[i])) << "output " << i << ": " << result[i] << " for " << truth[i];
  }
}

/// About `operations` random operations with six inputs and two parameters; the outputs are spread over all of them.
inline codegen::KernelSpec large_spec(expr::Graph& graph, std::size_t operations,
                                      expr::RandomExpressions::Kind kind = expr::RandomExpressions::Kind::kSmooth) {
  expr::RandomExpressions random(graph, 42, 8, kind);
  codegen::KernelSpec spec{"large",
                           {random.symbols().begin(), random.symbols().begin() + 6},
                           {random.symbols().begin() + 6, random.symbols().end()},
                           {}};
  while (graph.size() < operations + operations / 2) {
    for (int i = 0; i < 50; ++i) {
      const expr::Expr e = random.next();
      if (i % 5 == 0) spec.outputs.push_back(e);
    }
  }
  return spec;
}

inline void wait_for_background() {
  if (codegen::BackgroundCompiler* background = codegen::background_compiler()) background->wait();
}

/// Fixture with a cache that is empty at the start of a test. At its end it waits for compilations in the background.
class WithKernelCache : public testing::Test {
 protected:
  void TearDown() override { wait_for_background(); }
  [[nodiscard]] std::string folder() const { return folder_.path().string(); }
  [[nodiscard]] std::vector<std::filesystem::path> cached() const {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) files.push_back(entry.path());
    return files;
  }

 private:
  Folder folder_;
};

}  // namespace vinculum::test_support
