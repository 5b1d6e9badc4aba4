#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "vinculum/codegen/llvm/loop.hpp"
#include "vinculum/codegen/llvm/order.hpp"
#include "vinculum/codegen/native_abi.hpp"

namespace vinculum::codegen::native {

/// Order of a program, its division into functions, and the values that pass between these functions.
///
/// A part is one function. A straight part has about kOperationsPerPart operations and at most as many copied outputs,
/// because the costs of register allocation and of ordering stores grow faster than the length of a function. In
/// programs with more than kMostStraight operations, repetitions (`find_runs`) become loops. Each loop is one part,
/// with the code size of one iteration. The operations are the same and each is rounded once, so the bits do not
/// change.
struct Plan {
  static constexpr std::uint32_t kOperationsPerPart = 500;
  static constexpr std::uint32_t kMostStraight = 5000;
  static constexpr std::uint32_t kNone = 0xffffffffu;

  struct Part {
    std::uint32_t begin = 0, end = 0;            ///< indices in `order`
    std::uint32_t first_copy = 0, copy_end = 0;  ///< indices into `copies`
    std::uint32_t loop = kNone;                  ///< index into `loops` if the part is a loop
  };
  using Output = std::pair<std::uint32_t, std::uint32_t>;  ///< pair (number of a value, index of an output)

  std::vector<std::uint32_t> order;  ///< [instruction_count] instructions, each after its operands
  std::vector<Part> parts;           ///< at least one
  /// [instruction_count] index in the workspace; kNone: other parts do not read the value
  std::vector<std::uint32_t> slot;
  std::vector<Output> outputs;  ///< sorted by value; the straight part that computes the value stores it
  /// outputs that are copied from memory: inputs, constants, literals, and results of loops
  std::vector<Output> copies;
  std::vector<Loop> loops;
  /// Number of slots in the workspace; slots of straight parts are reused when their value is no longer needed
  std::uint32_t workspace_size = 0;

  /// Number of operations and copied outputs in the code of a part.
  [[nodiscard]] std::uint32_t code_size(const Part& part) const {
    const std::uint32_t copies_of_it = part.copy_end - part.first_copy;
    return copies_of_it + (part.loop == kNone ? part.end - part.begin
                                              : static_cast<std::uint32_t>(loops[part.loop].instructions.size()));
  }
};

/// \cost O(instructions + outputs log outputs).
[[nodiscard]] Plan make_plan(const Program& program);

}  // namespace vinculum::codegen::native
