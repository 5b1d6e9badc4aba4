#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "vinculum/codegen/native_abi.hpp"

namespace vinculum::codegen::native {

/// A group of sines and cosines that are adjacent in an order of the operations and are evaluated together. It contains
/// at most kMost angles, and no angle depends on a member of the group.
struct Angles {
  static constexpr std::size_t kMost = 4;  ///< number of doubles in an AVX register

  std::vector<std::uint32_t> operands;  ///< numbers of the values that are the angles, one per lane of the vector
  /// pairs of an instruction and the lane in which its result is
  std::vector<std::pair<std::uint32_t, std::uint32_t>> instructions;
  std::uint32_t end;  ///< index, in the order, of the first operation after the group
};

/// The group that starts at index `begin` of the order.   \param end  index of the end of the part
/// \pre the instruction at `begin` is a sine or a cosine
[[nodiscard]] Angles angles_from(const Program& program, std::span<const std::uint32_t> order, std::uint32_t begin,
                                 std::uint32_t end);

}  // namespace vinculum::codegen::native
