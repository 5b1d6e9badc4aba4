#include "vinculum/codegen/llvm/order.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace vinculum::codegen::native {
namespace {

using expr::Op;

bool is_call(Op op) {
  switch (op) {
    case Op::kPower:
    case Op::kExponential:
    case Op::kLogarithm:
    case Op::kSine:
    case Op::kCosine:
    case Op::kTangent:
    case Op::kArcSine:
    case Op::kArcCosine:
    case Op::kArcTangent:
    case Op::kArcTangent2:
    case Op::kHyperbolicSine:
    case Op::kHyperbolicCosine:
    case Op::kHyperbolicTangent:
    case Op::kTable: return true;
    default: return false;
  }
}

class Ordering {
 public:
  explicit Ordering(const Program& program)
      : program_(program), leaves_(leaf_count(program)), placed_(program.instruction_count, false) {
    order_.reserve(program.instruction_count);
  }

  std::vector<std::uint32_t> run() {
    const std::vector<std::uint32_t> partner = find_partners();
    for (const std::vector<std::uint32_t>& calls : calls_by_depth()) {
      for (const std::uint32_t i : calls) place_operands(i);
      for (const std::uint32_t i : calls) {
        if (!is_circular(program_.instructions[i].op)) place(i);
      }
      for (const std::uint32_t i : calls) {
        place(i);
        place(partner[i]);
      }
    }
    for (std::uint32_t i = 0; i < program_.instruction_count; ++i) place(i);
    return std::move(order_);
  }

 private:
  /// By the largest number of calls on a way to them, less one.
  std::vector<std::vector<std::uint32_t>> calls_by_depth() const {
    std::vector<std::uint32_t> depth(program_.instruction_count, 0);  // calls on the longest way, itself included
    std::vector<std::vector<std::uint32_t>> calls;
    for (std::uint32_t i = 0; i < program_.instruction_count; ++i) {
      const Instruction& instruction = program_.instructions[i];
      for (std::uint32_t k = 0; k < instruction.operand_count; ++k) {
        const std::uint32_t operand = instruction.operands[k];
        if (operand >= leaves_) depth[i] = std::max(depth[i], depth[operand - leaves_]);
      }
      if (!is_call(instruction.op)) continue;
      if (depth[i] == calls.size()) calls.emplace_back();
      calls[depth[i]++].push_back(i);
    }
    return calls;
  }

  /// The cosine of each sine's operand and the reverse; the instruction itself where there is none.
  std::vector<std::uint32_t> find_partners() const {
    std::vector<std::uint32_t> partner(program_.instruction_count);
    std::unordered_map<std::uint32_t, std::uint32_t> open;  // operand → an instruction without a partner yet
    for (std::uint32_t i = 0; i < program_.instruction_count; ++i) {
      partner[i] = i;
      const Instruction& instruction = program_.instructions[i];
      if (!is_circular(instruction.op)) continue;
      const auto [place, is_new] = open.try_emplace(instruction.operands[0], i);
      if (is_new || !are_sine_and_cosine(program_, i, place->second)) continue;
      partner[i] = place->second;
      partner[place->second] = i;
      open.erase(place);
    }
    return partner;
  }

  void place(std::uint32_t i) {
    if (placed_[i]) return;
    placed_[i] = true;
    order_.push_back(i);
  }

  void place_operands(std::uint32_t root) {
    stack_.assign(1, {root, 0});
    while (!stack_.empty()) {
      auto& [i, next] = stack_.back();
      const Instruction& instruction = program_.instructions[i];
      if (next == instruction.operand_count) {
        if (i != root) place(i);
        stack_.pop_back();
        continue;
      }
      const std::uint32_t operand = instruction.operands[next++];
      if (operand >= leaves_ && !placed_[operand - leaves_]) stack_.emplace_back(operand - leaves_, 0);
    }
  }

  const Program& program_;
  std::uint32_t leaves_;
  std::vector<bool> placed_;
  std::vector<std::uint32_t> order_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> stack_;
};

}  // namespace

bool are_sine_and_cosine(const Program& program, std::uint32_t i, std::uint32_t j) {
  const Instruction& a = program.instructions[i];
  const Instruction& b = program.instructions[j];
  return a.operands[0] == b.operands[0] &&
         ((a.op == Op::kSine && b.op == Op::kCosine) || (a.op == Op::kCosine && b.op == Op::kSine));
}

std::vector<std::uint32_t> operations_in_order(const Program& program) { return Ordering(program).run(); }

}  // namespace vinculum::codegen::native
