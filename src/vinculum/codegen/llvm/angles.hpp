#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "vinculum/codegen/native_abi.hpp"

namespace vinculum::codegen::native {

/// A group of sines and cosines that are adjacent in an order and are evaluated together. It contains at most kMost
/// angles, and no angle depends on another member of the group.
struct Angles {
  static constexpr std::size_t kMost = 4;  ///< number of doubles in an AVX register

  std::vector<std::uint32_t> operands;                                ///< number of the angle's value, one per lane
  std::vector<std::pair<std::uint32_t, std::uint32_t>> instructions;  ///< (instruction, lane)
  std::uint32_t end;                                                  ///< place in the order after the group
};

/// Group that starts at `begin`.   \pre the instruction at `begin` is a sine or a cosine.   \param end  end of the
/// part.
[[nodiscard]] Angles angles_from(const Program& program, std::span<const std::uint32_t> order, std::uint32_t begin,
                                 std::uint32_t end);

}  // namespace vinculum::codegen::native
