#pragma once

#include <cstdint>
#include <vector>

#include "vinculum/codegen/native_abi.hpp"

namespace vinculum::codegen::native {

/// Number of the first instruction's value.
[[nodiscard]] inline std::uint32_t leaf_count(const Program& program) {
  return program.input_count + program.constant_count + program.literal_count;
}

[[nodiscard]] inline bool is_circular(expr::Op op) { return op == expr::Op::kSine || op == expr::Op::kCosine; }

/// Whether sine and cosine of one operand: instructions `i` and `j`, in either order.
[[nodiscard]] bool are_sine_and_cosine(const Program& program, std::uint32_t i, std::uint32_t j);

/// In which order the operations of a program come that no call waits for.
enum class Rest : std::uint8_t {
  kAsWritten,    ///< what repeats in the program repeats in its order
  kByWhatWaits,  ///< of a long program: what most of the rest waits for first, so that chains that do not meet run side
                 ///< by side
};

/// In which order a program is computed: each instruction after its operands.
///
/// Calls come as early as their operands allow: they clobber every vector register, and early there is least in them.
/// Those that need the same number of others before them stand together, sines and cosines last, so that several angles
/// can be evaluated side by side; the sine and the cosine of one value stand next to each other.
[[nodiscard]] std::vector<std::uint32_t> operations_in_order(const Program& program, Rest rest);

}  // namespace vinculum::codegen::native
