#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "vinculum/codegen/llvm/loop.hpp"
#include "vinculum/codegen/llvm/order.hpp"
#include "vinculum/codegen/native_abi.hpp"

namespace vinculum::codegen::native {

/// In which order and in which functions a program is computed, and which values pass between the functions.
///
/// A part is one function. Straight ones hold about kOperationsPerPart operations, and as many outputs that are copied:
/// the costs of allocating registers and of ordering stores grow faster than the length. Of more than kMostStraight
/// operations what repeats (`find_runs`) becomes loops, a part each: their code is as long as one iteration. Operations
/// are the same ones, each rounded once, and so the bits.
struct Plan {
  static constexpr std::uint32_t kOperationsPerPart = 500;
  static constexpr std::uint32_t kMostStraight = 5000;
  static constexpr std::uint32_t kNone = 0xffffffffu;

  struct Part {
    std::uint32_t begin = 0, end = 0;            ///< places in `order`
    std::uint32_t first_copy = 0, copy_end = 0;  ///< in `copies`
    std::uint32_t loop = kNone;                  ///< in `loops`: the part is that loop
  };
  using Output = std::pair<std::uint32_t, std::uint32_t>;  ///< number of a value, place among the outputs

  std::vector<std::uint32_t> order;  ///< [instruction_count] instructions, each after its operands
  std::vector<Part> parts;           ///< at least one
  std::vector<std::uint32_t> slot;   ///< [instruction_count] place in the workspace, kNone: not used in other parts
  std::vector<Output> outputs;       ///< sorted; stored by the straight part that computes them
  std::vector<Output> copies;        ///< stored from where they lie: leaves, and results of loops
  std::vector<Loop> loops;
  std::uint32_t workspace_size = 0;  ///< slots; those of straight parts are used again once their value is dead

  /// Operations and copied outputs that the code of a part holds.
  [[nodiscard]] std::uint32_t code_size(const Part& part) const {
    const std::uint32_t copies_of_it = part.copy_end - part.first_copy;
    return copies_of_it + (part.loop == kNone ? part.end - part.begin
                                              : static_cast<std::uint32_t>(loops[part.loop].instructions.size()));
  }
};

/// \cost O(instructions + outputs log outputs).
[[nodiscard]] Plan make_plan(const Program& program);

}  // namespace vinculum::codegen::native
