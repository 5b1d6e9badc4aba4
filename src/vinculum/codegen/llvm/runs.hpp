#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vinculum/codegen/native_abi.hpp"

namespace vinculum::codegen::native {

/// A stretch of a program in which one sequence of operations repeats, for example body by body in a chain: `count`
/// iterations of `length` operations, starting at place `begin` of the order. Iterations differ only in the values that
/// they read and write.
struct Run {
  std::uint32_t begin, length, count;
  [[nodiscard]] std::uint32_t end() const { return begin + length * count; }
};

/// Finds the runs of a program, in their order, that are long enough for code of one iteration to be worthwhile.
/// Operations are considered alike if they have the same operation code, read the same kinds of leaves, and read
/// results of alike operations among the few before them. An iteration may begin at any of its operations; the one
/// chosen passes the fewest values to the next iteration.
/// \cost O(instructions).
[[nodiscard]] std::vector<Run> find_runs(const Program& program, std::span<const std::uint32_t> order);

}  // namespace vinculum::codegen::native
