#include "vinculum/codegen/llvm/order.hpp"

#include <algorithm>
#include <functional>
#include <queue>
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

constexpr int kAtOnce = 3;         // number of operations that a processor can start per cycle
constexpr std::size_t kHeld = 64;  // number of operations that are considered at the same time
// Number of operations that a processor can reorder by itself. Shorter programs are not reordered here.
constexpr std::uint32_t kLookedAhead = 250;

/// Latency of an operation in cycles; typical values of current processors.
std::uint32_t latency(Op op) {
  switch (op) {
    case Op::kDivide: return 13;
    case Op::kSquareRoot: return 20;
    case Op::kNegate:
    case Op::kAbsolute: return 1;
    default: return is_call(op) ? 40 : 4;
  }
}

class Ordering {
 public:
  explicit Ordering(const Program& program)
      : program_(program), leaves_(leaf_count(program)), placed_(program.instruction_count, false) {
    order_.reserve(program.instruction_count);
  }

  std::vector<std::uint32_t> run(Rest rest) {
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
    if (rest == Rest::kByWhatWaits && program_.instruction_count > kLookedAhead) place_by_height();
    for (std::uint32_t i = 0; i < program_.instruction_count; ++i) place(i);
    return std::move(order_);
  }

 private:
  /// Orders the remaining operations as a processor would that starts a few operations per cycle. Among the operations
  /// whose operands are ready, it takes the one with the longest chain of dependents. So independent chains overlap
  /// within a window of kHeld operations. With a larger window, more values are needed at the same time than there are
  /// registers (an evaluation of the model `latched_arm` then took 620 ns).
  void place_by_height() {
    const std::vector<std::uint32_t> height = heights();
    std::vector<std::uint32_t> open(program_.instruction_count, 0), ready(program_.instruction_count, 0);
    // cycle in which the result of each operation that has been ordered is available
    std::vector<std::uint32_t> done(program_.instruction_count, 0);
    std::vector<std::vector<std::uint32_t>> users(program_.instruction_count);
    using Waiting = std::pair<std::uint32_t, std::uint32_t>;  // (cycle in which the operands are ready, instruction)
    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> later;
    std::priority_queue<std::pair<std::uint32_t, std::int64_t>> now;
    std::uint32_t next = 0;
    std::size_t held = 0;
    const auto admit = [&] {
      for (; next < program_.instruction_count && held < kHeld; ++next) {
        if (placed_[next]) continue;
        ++held;
        for_each_operand(next, [&](std::uint32_t operand) {
          ready[next] = std::max(ready[next], done[operand]);
          if (placed_[operand]) return;
          ++open[next];
          users[operand].push_back(next);
        });
        if (open[next] == 0) later.emplace(ready[next], next);
      }
    };
    admit();
    for (std::uint32_t time = 0; !later.empty() || !now.empty(); ++time, admit()) {
      if (now.empty()) time = std::max(time, later.top().first);
      for (; !later.empty() && later.top().first <= time; later.pop()) {
        now.emplace(height[later.top().second], -std::int64_t{later.top().second});
      }
      for (int begun = 0; begun < kAtOnce && !now.empty(); ++begun) {
        const auto i = static_cast<std::uint32_t>(-now.top().second);
        now.pop();
        place(i);
        --held;
        done[i] = time + latency(program_.instructions[i].op);
        for (const std::uint32_t user : users[i]) {
          ready[user] = std::max(ready[user], done[i]);
          if (--open[user] == 0) later.emplace(ready[user], user);
        }
      }
    }
  }

  /// For each operation, the cycles from its start to the end of the longest chain of its dependents.
  std::vector<std::uint32_t> heights() const {
    std::vector<std::uint32_t> height(program_.instruction_count, 0);
    for (std::uint32_t i = program_.instruction_count; i-- > 0;) {
      height[i] += latency(program_.instructions[i].op);
      for_each_operand(i, [&](std::uint32_t operand) { height[operand] = std::max(height[operand], height[i]); });
    }
    return height;
  }

  template <class Call>
  void for_each_operand(std::uint32_t i, const Call& call) const {
    const Instruction& instruction = program_.instructions[i];
    for (std::uint32_t k = 0; k < instruction.operand_count; ++k) {
      const std::uint32_t operand = instruction.operands[k];
      if (operand >= leaves_) call(operand - leaves_);
    }
  }

  /// The function calls, grouped by the number of other calls on the longest path to them.
  std::vector<std::vector<std::uint32_t>> calls_by_depth() const {
    // number of calls on the longest path to each instruction, which itself is included
    std::vector<std::uint32_t> depth(program_.instruction_count, 0);
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

  /// For each sine the cosine of the same operand, and for each cosine the sine; the instruction itself if there is
  /// none.
  std::vector<std::uint32_t> find_partners() const {
    std::vector<std::uint32_t> partner(program_.instruction_count);
    std::unordered_map<std::uint32_t, std::uint32_t> open;  // operand → instruction that has no partner so far
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

std::vector<std::uint32_t> operations_in_order(const Program& program, Rest rest) {
  return Ordering(program).run(rest);
}

}  // namespace vinculum::codegen::native
