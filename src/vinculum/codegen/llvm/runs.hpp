#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vinculum/codegen/native_abi.hpp"

namespace vinculum::codegen::native {

/// A stretch of a program in which one sequence of operations comes over and over, as that of a chain does body by
/// body: `count` iterations of `length` operations from place `begin` of its order. They differ in what they read and
/// write only.
struct Run {
  std::uint32_t begin, length, count;
  [[nodiscard]] std::uint32_t end() const { return begin + length * count; }
};

/// The runs of a program, one after the other, long enough that code for one iteration is worth it. Operations are
/// alike where they are the same, read the same kinds of leaves, and read results of the same operations among the few
/// before them; so an iteration may begin at any of its operations, and does where the fewest values pass to the next
/// one.
/// \cost O(instructions).
[[nodiscard]] std::vector<Run> find_runs(const Program& program, std::span<const std::uint32_t> order);

}  // namespace vinculum::codegen::native
