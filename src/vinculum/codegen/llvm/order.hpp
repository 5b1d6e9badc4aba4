#pragma once

#include <cstdint>
#include <vector>

#include "vinculum/codegen/native_abi.hpp"

namespace vinculum::codegen::native {

/// Number of values that are not results of instructions: inputs, constants and literals. The first instruction's value
/// has this number.
[[nodiscard]] inline std::uint32_t leaf_count(const Program& program) {
  return program.input_count + program.constant_count + program.literal_count;
}

[[nodiscard]] inline bool is_circular(expr::Op op) { return op == expr::Op::kSine || op == expr::Op::kCosine; }

/// Whether instructions `i` and `j` are the sine and cosine of the same operand, in either order.
[[nodiscard]] bool are_sine_and_cosine(const Program& program, std::uint32_t i, std::uint32_t j);

/// Order of the operations that no function call depends on.
enum class Rest : std::uint8_t {
  kAsWritten,  ///< order of the program, so that repetitions in the program remain repetitions
  /// For long programs: operations with the longest chain of dependents first, so that independent chains overlap
  kByWhatWaits,
};

/// Order in which a program is computed. Each instruction follows its operands.
///
/// Function calls come as early as their operands allow. They overwrite all vector registers, and early in the program
/// the fewest values are in registers. Calls that depend on the same number of earlier calls are adjacent, with sines
/// and cosines last, so that several angles can be evaluated together. Sine and cosine of the same value are adjacent.
[[nodiscard]] std::vector<std::uint32_t> operations_in_order(const Program& program, Rest rest);

}  // namespace vinculum::codegen::native
