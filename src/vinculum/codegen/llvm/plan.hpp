#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "vinculum/codegen/native_abi.hpp"

namespace vinculum::codegen::native {

/// In which order and in which functions a program is computed, and which values pass between the functions.
///
/// Calls come as early as their operands allow: they clobber every vector register, and early there is least in them.
/// Those that need the same number of others before them stand together, sines and cosines last, so that several angles
/// can be evaluated side by side; the sine and the cosine of one value stand next to each other. Functions hold about
/// kOperationsPerPart operations, and as many outputs that are no operation's: the costs of allocating registers and of
/// ordering stores grow faster than the length.
struct Plan {
  static constexpr std::uint32_t kOperationsPerPart = 250;
  static constexpr std::uint32_t kNoSlot = 0xffffffffu;

  std::vector<std::uint32_t> order;       ///< [instruction_count] instructions, each after its operands
  std::vector<std::uint32_t> part_begin;  ///< [parts + 1] places in `order`; at least one part
  std::vector<std::uint32_t> slot;  ///< [instruction_count] place in the workspace, kNoSlot: not used in later parts
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      outputs;                       ///< (number of a value, place among the outputs), sorted
  std::uint32_t leaf_outputs = 0;    ///< how many of them, the first ones, are no operation's
  std::uint32_t workspace_size = 0;  ///< slots; reused once their value is dead

  [[nodiscard]] std::size_t part_count() const { return part_begin.size() - 1; }
  /// The outputs that are no operation's and that the part stores.
  [[nodiscard]] std::span<const std::pair<std::uint32_t, std::uint32_t>> leaves_of(std::uint32_t part) const {
    const std::uint32_t begin = std::min(leaf_outputs, part * kOperationsPerPart);
    return std::span(outputs).subspan(begin, std::min(leaf_outputs - begin, kOperationsPerPart));
  }
};

/// Number of the first instruction's value.
[[nodiscard]] inline std::uint32_t leaf_count(const Program& program) {
  return program.input_count + program.constant_count + program.literal_count;
}

[[nodiscard]] inline bool is_circular(expr::Op op) { return op == expr::Op::kSine || op == expr::Op::kCosine; }

/// Whether sine and cosine of one operand: instructions `i` and `j`, in either order.
[[nodiscard]] bool are_sine_and_cosine(const Program& program, std::uint32_t i, std::uint32_t j);

/// \cost O(instructions + outputs log outputs).
[[nodiscard]] Plan make_plan(const Program& program);

}  // namespace vinculum::codegen::native
