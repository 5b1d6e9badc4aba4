#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vinculum/codegen/native_abi.hpp"

namespace vinculum::codegen::native {

/// A stretch of a program in which one sequence of operations repeats, for example once per body of a chain. It has
/// `count` iterations of `length` operations and starts at index `begin` of the order. Iterations differ only in the
/// values that they read and write.
struct Run {
  std::uint32_t begin, length, count;
  [[nodiscard]] std::uint32_t end() const { return begin + length * count; }
};

/// Finds the runs of a program, in the order of the program, that are long enough for code of one iteration to be
/// worthwhile. Operations are alike if they have the same operation code, read the same kinds of leaves (inputs,
/// constants, literals), and read results computed at the same distances before them (large distances count as equal).
/// An iteration could begin at any of its operations; the chosen one passes the fewest values to the next iteration.
/// \cost O(instructions).
[[nodiscard]] std::vector<Run> find_runs(const Program& program, std::span<const std::uint32_t> order);

}  // namespace vinculum::codegen::native
