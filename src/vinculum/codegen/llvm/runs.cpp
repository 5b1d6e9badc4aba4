#include "vinculum/codegen/llvm/runs.hpp"

#include <algorithm>
#include <bit>

#include "vinculum/codegen/llvm/order.hpp"

namespace vinculum::codegen::native {
namespace {

/// Operands must match only if they were computed at most this many operations before; then the distances must be
/// equal.
constexpr std::uint32_t kNear = 64;
/// number of consecutive operations that must be alike to earlier ones before a repetition is searched for
constexpr std::uint32_t kWindow = 24;
constexpr std::uint32_t kLeastCount = 8;      ///< least number of iterations
constexpr std::uint32_t kLeastCovered = 500;  ///< least number of operations in all iterations together
/// largest number of operations in an iteration, because an iteration becomes one function
constexpr std::uint32_t kLongest = 4000;
/// least number of operations in an iteration; shorter iterations are combined
constexpr std::uint32_t kShortest = 16;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}

/// For each index in the order, a number that is equal for operations that are alike.
std::vector<std::uint64_t> kinds_of(const Program& program, std::span<const std::uint32_t> order) {
  const std::uint32_t leaves = leaf_count(program);
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t j = 0; j < order.size(); ++j) place[order[j]] = j;
  const auto kind_of_operand = [&](std::uint32_t v, std::uint32_t j) -> std::uint64_t {
    if (v < program.input_count) return v == 0 ? 0 : 1;
    if (v < program.input_count + program.constant_count) return 2;
    if (v < leaves) return 3;
    const std::uint32_t distance = j - place[v - leaves];
    return distance <= kNear ? 4 + distance : 4;
  };
  std::vector<std::uint64_t> kinds(order.size());
  for (std::uint32_t j = 0; j < order.size(); ++j) {
    const Instruction& instruction = program.instructions[order[j]];
    std::uint64_t kind = mixed(instruction.table, static_cast<std::uint64_t>(instruction.op) << 8 |
                                                      std::uint64_t{instruction.derivative_order});
    for (std::uint32_t k = 0; k < instruction.operand_count; ++k) {
      kind = mixed(kind, kind_of_operand(instruction.operands[k], j));
    }
    kinds[j] = kind;
  }
  return kinds;
}

class Search {
 public:
  Search(const Program& program, std::span<const std::uint32_t> order)
      : program_(program), order_(order), kinds_(kinds_of(program, order)) {}

  /// Follows the current period as long as each operation is alike to the operation one period earlier. When the
  /// repetition ends, the next candidate for the period is the distance to the most recent occurrence of the last
  /// kWindow operations.
  std::vector<Run> find() {
    const auto count = static_cast<std::uint32_t>(order_.size());
    std::vector<std::uint32_t> last_seen(std::bit_ceil(std::max(count, 2u)), 0);
    std::uint64_t hash = 0, first_weight = 1;
    for (std::uint32_t k = 0; k < kWindow; ++k) first_weight *= kWeight;
    for (std::uint32_t j = 0; j < count; ++j) {
      if (period_ > 0 && kinds_[j] != kinds_[j - period_]) close(j);
      hash = hash * kWeight + kinds_[j];
      if (j >= kWindow) hash -= first_weight * kinds_[j - kWindow];
      if (j + 1 < kWindow) continue;
      std::uint32_t& seen = last_seen[(hash ^ hash >> 32) & (last_seen.size() - 1)];
      if (period_ == 0 && seen > 0) open(j, j + 1 - seen);
      seen = j + 1;
    }
    close(count);
    return std::move(runs_);
  }

 private:
  static constexpr std::uint64_t kWeight = 0xd6e8feb86659fd93u;

  void open(std::uint32_t j, std::uint32_t period) {
    if (period > kLongest) return;
    const std::uint32_t first = std::max(period, done_ + period);
    std::uint32_t begin = j + 1;  // first operation that is alike to the one a period before
    while (begin > first && j + 1 - begin < period + kWindow && kinds_[begin - 1] == kinds_[begin - 1 - period])
      --begin;
    if (j + 1 - begin < kWindow) return;
    period_ = period;
    begin_ = begin - period;
  }

  void close(std::uint32_t end) {
    if (period_ > 0 && end - begin_ >= kLeastCovered && (end - begin_) / period_ > kLeastCount) {
      add(end);
      done_ = runs_.back().end();
    }
    period_ = 0;
  }

  void add(std::uint32_t end) {
    Run run{begin_ + best_cut(), period_, 0};
    const std::uint32_t together = (kShortest + period_ - 1) / period_;
    run.length *= together;
    run.count = (end - run.begin) / run.length;
    runs_.push_back(run);
  }

  /// Chooses the operation at which an iteration begins: the one for which the fewest values computed before it are
  /// needed after it.
  [[nodiscard]] std::uint32_t best_cut() const {
    const std::uint32_t leaves = leaf_count(program_), middle = begin_ + period_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> places;  // (instruction, index in the order) for one iteration
    for (std::uint32_t j = middle; j < middle + period_; ++j) places.emplace_back(order_[j], j);
    std::sort(places.begin(), places.end());
    std::vector<std::uint32_t> last_use(period_, 0);
    for (std::uint32_t j = middle; j < middle + 2 * period_; ++j) {
      const Instruction& instruction = program_.instructions[order_[j]];
      for (std::uint32_t k = 0; k < instruction.operand_count; ++k) {
        if (instruction.operands[k] < leaves) continue;
        const auto found =
            std::lower_bound(places.begin(), places.end(), std::pair{instruction.operands[k] - leaves, 0u});
        if (found == places.end() || found->first != instruction.operands[k] - leaves) continue;
        if (j - found->second < period_) last_use[found->second - middle] = j - middle;
      }
    }
    std::vector<std::int32_t> waiting(2 * period_ + 1, 0);
    for (std::uint32_t x = 0; x < period_; ++x) {
      if (last_use[x] <= x) continue;
      ++waiting[x + 1];
      --waiting[last_use[x] + 1];
    }
    for (std::uint32_t x = 1; x < waiting.size(); ++x) waiting[x] += waiting[x - 1];
    for (std::uint32_t x = 0; x < period_; ++x) waiting[x] += waiting[x + period_];
    return static_cast<std::uint32_t>(std::min_element(waiting.begin(), waiting.begin() + period_) - waiting.begin());
  }

  const Program& program_;
  std::span<const std::uint32_t> order_;
  std::vector<std::uint64_t> kinds_;
  std::vector<Run> runs_;
  std::uint32_t done_ = 0;    ///< operations before this index belong to runs already found
  std::uint32_t period_ = 0;  ///< current period; 0: none
  std::uint32_t begin_ = 0;   ///< index at which the repetition with the current period starts
};

}  // namespace

std::vector<Run> find_runs(const Program& program, std::span<const std::uint32_t> order) {
  return Search(program, order).find();
}

}  // namespace vinculum::codegen::native
