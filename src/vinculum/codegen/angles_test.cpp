#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "support/codegen/compile_at.hpp"
#include "support/codegen/same_bits.hpp"
#include "vinculum/codegen/tape_kernel.hpp"

namespace vinculum::codegen {
namespace {

using native::Level;

/// A tape with sines of all angles, cosines of most, and sines of values that contain cosines.
Tape tape_of_angles(expr::Graph& graph, std::size_t count) {
  std::vector<expr::Expr> angles, outputs;
  for (std::size_t k = 0; k < count; ++k) angles.push_back(graph.symbol("a" + std::to_string(k)));
  for (std::size_t k = 0; k < count; ++k) {
    outputs.push_back(sine(angles[k]));
    if (k % 3 != 1) outputs.push_back(cosine(angles[k]));
  }
  for (std::size_t k = 0; k < count; k += 2) outputs.push_back(sine(angles[k] + 3.0 * cosine(angles[count - 1 - k])));
  return make_tape({"angles", angles, {}, outputs});
}

/// A random angle. Most are within a few turns, some are multiples of a right angle, some have any magnitude.
double angle_of_some_kind(std::mt19937_64& random) {
  const double size = std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), -63);
  const auto kind = random() % 40;
  if (kind == 0) return std::bit_cast<double>(random());
  if (kind == 1) return 0.5 * std::numbers::pi * std::floor(8.0 * size);
  return kind < 20 ? size : 100.0 * size;
}

// Native code evaluates sines and cosines of up to four angles together. If one of them is very large, it calls the
// library function for each angle.
TEST(Angles, SideBySideHaveTheBitsOfEachAlone) {
  for (std::size_t count = 1; count <= 9; ++count) {
    expr::Graph graph;
    const Tape tape = tape_of_angles(graph, count);
    const auto by_tape = make_tape_kernel(tape);
    std::mt19937_64 random(count);
    for (const Level level : {Level::kFast, Level::kFull}) {
      const auto kernel = test_support::compile_at(level, tape);
      if (kernel == nullptr) GTEST_SKIP() << "no native code here";
      for (int i = 0; i < 3000; ++i) {
        std::vector<double> at(count);
        for (double& angle : at) angle = angle_of_some_kind(random);
        const auto native = test_support::evaluate_bound(*kernel, at, kernel->prepare({}));
        const auto expected = test_support::evaluate_bound(*by_tape, at, by_tape->prepare({}));
        for (std::size_t k = 0; k < native.size(); ++k) {
          ASSERT_TRUE(test_support::is_same_bits(native[k], expected[k])) << count << " angles, output " << k;
        }
      }
    }
  }
}

}  // namespace
}  // namespace vinculum::codegen
