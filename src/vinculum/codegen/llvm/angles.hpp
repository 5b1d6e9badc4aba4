#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "vinculum/codegen/native_abi.hpp"

namespace vinculum::codegen::native {

/// Sines and cosines that stand next to each other in an order, of at most kMost angles, none of which is made of
/// another: one evaluation.
struct Angles {
  static constexpr std::size_t kMost = 4;  ///< doubles in a register of AVX

  std::vector<std::uint32_t> operands;                                ///< numbers of values, one a lane
  std::vector<std::pair<std::uint32_t, std::uint32_t>> instructions;  ///< (instruction, lane)
  std::uint32_t end;                                                  ///< place in the order behind them
};

/// \pre the instruction at `begin` is a sine or a cosine.   \param end  of the part
[[nodiscard]] Angles angles_from(const Program& program, std::span<const std::uint32_t> order, std::uint32_t begin,
                                 std::uint32_t end);

}  // namespace vinculum::codegen::native
