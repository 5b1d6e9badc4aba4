// Weighted sums of stages have the same bits for every vector width of the processor.
#include "vinculum/integrate/stage_sums.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "vinculum/integrate/dop853.hpp"

namespace vinculum::integrate {
namespace {

TEST(StageSums, RoundEveryOperationInTheOrderOfTheTable) {
  constexpr int kRow = 11;
  const auto& w = kDop853.a[kRow];
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const double h = 0.37;
  for (const std::ptrdiff_t n : {1, 2, 3, 4, 5, 8, 15, 16, 33}) {
    std::vector<double> y, k, advanced(static_cast<std::size_t>(n));
    for (std::ptrdiff_t i = 0; i < n; ++i) y.push_back(uniform(random));
    for (std::ptrdiff_t i = 0; i < n * static_cast<std::ptrdiff_t>(w.size()); ++i) k.push_back(uniform(random));
    kStageSums<kDop853>.advance[kRow](y.data(), h, k.data(), n, advanced.data());
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      volatile double sum = w[0] * k[static_cast<std::size_t>(i)];
      for (std::size_t j = 1; j < w.size(); ++j) {
        const volatile double part = w[j] * k[j * static_cast<std::size_t>(n) + static_cast<std::size_t>(i)];
        if (w[j] != 0.0) sum = sum + part;
      }
      const volatile double change = h * sum;
      EXPECT_EQ(advanced[static_cast<std::size_t>(i)], y[static_cast<std::size_t>(i)] + change) << n << " " << i;
    }
  }
}

}  // namespace
}  // namespace vinculum::integrate
