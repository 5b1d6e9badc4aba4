#include "vinculum/codegen/llvm/angles.hpp"

#include <algorithm>

#include "vinculum/codegen/llvm/order.hpp"

namespace vinculum::codegen::native {

Angles angles_from(const Program& program, std::span<const std::uint32_t> order, std::uint32_t begin,
                   std::uint32_t end) {
  Angles angles;
  std::uint32_t k = begin;
  for (; k < end; ++k) {
    const std::uint32_t i = order[k];
    if (!is_circular(program.instructions[i].op)) break;
    const std::uint32_t operand = program.instructions[i].operands[0];
    const bool is_made_here = std::ranges::any_of(
        angles.instructions, [&](const auto& made) { return leaf_count(program) + made.first == operand; });
    auto lane = std::ranges::find(angles.operands, operand);
    if (is_made_here || (lane == angles.operands.end() && angles.operands.size() == Angles::kMost)) break;
    if (lane == angles.operands.end()) lane = angles.operands.insert(lane, operand);
    angles.instructions.emplace_back(i, static_cast<std::uint32_t>(lane - angles.operands.begin()));
  }
  angles.end = k;
  return angles;
}

}  // namespace vinculum::codegen::native
