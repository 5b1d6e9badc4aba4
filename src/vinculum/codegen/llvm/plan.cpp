#include "vinculum/codegen/llvm/plan.hpp"

#include <algorithm>
#include <utility>

namespace vinculum::codegen::native {
namespace {

using Array = Access::Array;

/// Number of iterations before and after a loop for which workspace slots next to its values stay free (see
/// `continue_sequences`).
constexpr std::uint32_t kBeyond = 8;
/// Least number of evenly spaced outputs that are copied by a loop instead of one after another.
constexpr std::uint32_t kLeastCopies = 64;

class Planning {
 public:
  explicit Planning(const Program& program)
      : program_(program),
        leaves_(leaf_count(program)),
        place_(program.instruction_count),
        part_of_(program.instruction_count),
        last_part_(program.instruction_count, 0) {}

  Plan make() {
    find_order();
    cut_into_parts();
    sort_outputs();
    find_readers();
    assign_slots();
    for (const RunInUse& of : runs_) add_loop(of);
    place_copies();
    return std::move(plan_);
  }

 private:
  /// The uses that the result of one operation of a run has outside its own iteration.
  struct Result {
    bool is_wanted = false;       ///< the results of several iterations are needed
    bool last_is_wanted = false;  ///< the result of the last iteration is needed
    /// [count] indices of outputs, if the result of every iteration is exactly one output; else empty
    std::vector<std::uint32_t> outputs;
    bool has_other_outputs = false;  ///< used only while outputs are sorted
  };
  struct RunInUse {
    WiredRun wired;
    std::vector<Result> results;  ///< [length] one per operation of an iteration
  };

  void find_order() {
    if (program_.instruction_count > Plan::kMostStraight) {
      plan_.order = operations_in_order(program_, Rest::kAsWritten);
      found_ = find_runs(program_, plan_.order);
    }
    if (found_.empty()) plan_.order = operations_in_order(program_, Rest::kByWhatWaits);
    for (std::uint32_t j = 0; j < plan_.order.size(); ++j) place_[plan_.order[j]] = j;
  }

  void cut_into_parts() {
    std::uint32_t done = 0;
    for (const Run& run : found_) {
      cut_straight(done, run.begin);
      done = run.end();
      plan_.parts.push_back({run.begin, done, 0, 0, static_cast<std::uint32_t>(runs_.size())});
      runs_.push_back({WiredRun(program_, plan_.order, place_, run), std::vector<Result>(run.length)});
    }
    cut_straight(done, program_.instruction_count);
    if (plan_.parts.empty()) plan_.parts.emplace_back();
    for (std::uint32_t part = 0; part < plan_.parts.size(); ++part) {
      for (std::uint32_t j = plan_.parts[part].begin; j < plan_.parts[part].end; ++j) part_of_[plan_.order[j]] = part;
    }
  }

  void cut_straight(std::uint32_t begin, std::uint32_t end) {
    if (begin == end) return;
    const std::uint32_t count = end - begin;
    const std::uint32_t parts =
        std::max<std::uint32_t>(1, (count + Plan::kOperationsPerPart / 2) / Plan::kOperationsPerPart);
    std::uint32_t from = begin;
    for (std::uint32_t part = 1; part <= parts; ++part) {
      std::uint32_t cut = begin + static_cast<std::uint32_t>(std::uint64_t{count} * part / parts);
      if (part < parts && are_sine_and_cosine(program_, plan_.order[cut - 1], plan_.order[cut])) ++cut;
      plan_.parts.push_back({from, cut});
      from = cut;
    }
  }

  [[nodiscard]] RunInUse* run_of(std::uint32_t instruction) {
    const std::uint32_t loop = plan_.parts[part_of_[instruction]].loop;
    return loop == Plan::kNone ? nullptr : &runs_[loop];
  }
  [[nodiscard]] std::uint32_t iteration_of(const Run& run, std::uint32_t instruction) const {
    return (place_[instruction] - run.begin) / run.length;
  }
  [[nodiscard]] Result& result_of(RunInUse& of, std::uint32_t instruction) const {
    return of.results[(place_[instruction] - of.wired.run.begin) % of.wired.run.length];
  }
  void want(RunInUse& of, std::uint32_t instruction) const {
    const bool is_last = iteration_of(of.wired.run, instruction) + 1 == of.wired.run.count;
    Result& result = result_of(of, instruction);
    (is_last ? result.last_is_wanted : result.is_wanted) = true;
  }

  /// Decides how each output is stored. The straight part that computes it stores it. The loop stores it if every
  /// iteration computes one such output. Otherwise it is copied.
  void sort_outputs() {
    std::vector<Plan::Output> outputs, of_loops;
    for (std::uint32_t k = 0; k < program_.output_count; ++k) outputs.emplace_back(program_.outputs[k], k);
    std::sort(outputs.begin(), outputs.end());
    for (const Plan::Output& output : outputs) {
      if (output.first < leaves_) {
        plan_.copies.push_back(output);
      } else if (RunInUse* of = run_of(output.first - leaves_)) {
        of_loops.push_back(output);
        Result& result = result_of(*of, output.first - leaves_);
        const bool is_next = iteration_of(of->wired.run, output.first - leaves_) == result.outputs.size();
        is_next ? result.outputs.push_back(output.second) : void(result.has_other_outputs = true);
      } else {
        plan_.outputs.push_back(output);
      }
    }
    for (RunInUse& of : runs_) {
      for (Result& result : of.results) {
        if (result.has_other_outputs || result.outputs.size() != of.wired.run.count) result.outputs.clear();
      }
    }
    for (const Plan::Output& output : of_loops) {
      RunInUse& of = *run_of(output.first - leaves_);
      if (!result_of(of, output.first - leaves_).outputs.empty()) continue;
      want(of, output.first - leaves_);
      plan_.copies.push_back(output);
    }
  }

  void find_readers() {
    for (std::uint32_t part = 0; part < plan_.parts.size(); ++part) {
      const std::uint32_t loop = plan_.parts[part].loop;
      for (std::uint32_t j = plan_.parts[part].begin; j < plan_.parts[part].end; ++j) {
        const Instruction& instruction = program_.instructions[plan_.order[j]];
        for (std::uint32_t k = 0; k < instruction.operand_count; ++k) {
          if (instruction.operands[k] < leaves_) continue;
          const std::uint32_t read = instruction.operands[k] - leaves_;
          RunInUse* of = run_of(read);
          if (of == nullptr) {
            last_part_[read] = part;
          } else if (part_of_[read] != part) {
            want(*of, read);
          } else {
            const Run& run = runs_[loop].wired.run;
            const Wire& wire = runs_[loop].wired.wire((j - run.begin) % run.length, k);
            if (wire.from == Wire::From::kElsewhere) result_of(*of, read).is_wanted = true;
          }
        }
      }
    }
  }

  /// Assigns a slot of the workspace to each value that other parts or iterations read. Values of a loop have one slot
  /// per iteration. The slot of a straight part's value is free again after the last part that reads the value.
  void assign_slots() {
    plan_.slot.assign(program_.instruction_count, Plan::kNone);
    for (const RunInUse& of : runs_) assign_slots_of_loop(of);
    for (const RunInUse& of : runs_) continue_sequences(of.wired);
    std::vector<std::vector<std::uint32_t>> released(plan_.parts.size() + 1);
    std::vector<std::uint32_t> free;
    for (std::uint32_t part = 0; part < plan_.parts.size(); ++part) {
      free.insert(free.end(), released[part].begin(), released[part].end());
      if (plan_.parts[part].loop != Plan::kNone) continue;
      for (std::uint32_t k = plan_.parts[part].begin; k < plan_.parts[part].end; ++k) {
        const std::uint32_t i = plan_.order[k];
        if (last_part_[i] <= part || plan_.slot[i] != Plan::kNone) continue;
        if (free.empty()) {
          plan_.slot[i] = plan_.workspace_size++;
        } else {
          plan_.slot[i] = free.back();
          free.pop_back();
        }
        released[last_part_[i] + 1].push_back(plan_.slot[i]);
      }
    }
  }

  void assign_slots_of_loop(const RunInUse& of) {
    const Run& run = of.wired.run;
    const auto width = static_cast<std::uint32_t>(std::ranges::count_if(of.results, &Result::is_wanted));
    const std::uint32_t begin = plan_.workspace_size, first = begin + kBeyond * width;
    const std::uint32_t end = first + run.count * width;
    plan_.workspace_size = end + kBeyond * width;
    is_free_.resize(plan_.workspace_size, true);
    std::fill(is_free_.begin() + first, is_free_.begin() + end, false);
    std::uint32_t next = first;
    for (std::uint32_t a = 0; a < run.length; ++a) {
      if (of.results[a].is_wanted) {
        for (std::uint32_t k = 0; k < run.count; ++k) plan_.slot[of.wired.instruction_of(k, a)] = next + k * width;
        ++next;
      } else if (of.results[a].last_is_wanted) {
        plan_.slot[of.wired.instruction_of(run.count - 1, a)] = plan_.workspace_size++;
        is_free_.push_back(false);
      }
    }
  }

  /// Assigns slots to values that a loop reads partly from another loop and partly from straight parts. This is
  /// frequent, because the ends of a chain differ from its middle: the first and last iterations read values of
  /// straight parts. These values get the slots that continue the sequence of slots of the other loop.
  void continue_sequences(const WiredRun& wired) {
    std::vector<std::uint32_t> read(wired.run.count);
    for (std::uint32_t a = 0; a < wired.run.length; ++a) {
      const std::uint32_t operands = program_.instructions[wired.instruction_of(0, a)].operand_count;
      for (std::uint32_t k = 0; k < operands; ++k) {
        if (wired.wire(a, k).from != Wire::From::kElsewhere) continue;
        for (std::uint32_t i = 0; i < wired.run.count; ++i) {
          read[i] = program_.instructions[wired.instruction_of(i, a)].operands[k];
        }
        if (read[0] >= leaves_) continue_sequence(read);
      }
    }
  }

  /// \param read  for each iteration, the value that it reads
  void continue_sequence(std::span<const std::uint32_t> read) {
    const auto slot = [&](std::size_t i) -> std::uint32_t& { return plan_.slot[read[i] - leaves_]; };
    std::size_t first = 0;
    while (first + 1 < read.size() && (slot(first) == Plan::kNone || slot(first + 1) == Plan::kNone)) ++first;
    if (first + 1 >= read.size()) return;
    const std::int64_t step = std::int64_t{slot(first + 1)} - slot(first);
    const auto wanted = [&](std::size_t i) {
      return slot(first) + (static_cast<std::int64_t>(i) - static_cast<std::int64_t>(first)) * step;
    };
    for (std::size_t i = 0; i < read.size(); ++i) {
      const std::int64_t at = wanted(i);
      const bool is_free =
          at >= 0 && at < static_cast<std::int64_t>(is_free_.size()) && is_free_[static_cast<std::size_t>(at)];
      if (slot(i) != Plan::kNone ? slot(i) != at : !is_free) return;
    }
    for (std::size_t i = 0; i < read.size(); ++i) {
      if (slot(i) != Plan::kNone) continue;
      slot(i) = static_cast<std::uint32_t>(wanted(i));
      is_free_[slot(i)] = false;
    }
  }

  void add_loop(const RunInUse& of) {
    Loop loop = of.wired.loop(plan_.slot);
    const Run& run = of.wired.run;
    const std::uint32_t leaves = leaf_count(loop.body());
    std::vector<std::uint32_t> slots(run.count);
    for (std::uint32_t a = 0; a < run.length; ++a) {
      const Result& result = of.results[a];
      for (std::uint32_t k = 0; k < run.count; ++k) slots[k] = plan_.slot[of.wired.instruction_of(k, a)];
      if (result.is_wanted) {
        loop.writes.push_back({leaves + a, Access::at(Array::kWorkspace, slots)});
      } else if (result.last_is_wanted) {
        loop.writes.push_back({leaves + a, Access::at(Array::kWorkspace, std::span(slots).last(1)), true});
      }
      if (!result.outputs.empty()) loop.writes.push_back({leaves + a, Access::at(Array::kOutputs, result.outputs)});
    }
    plan_.loops.push_back(std::move(loop));
  }

  /// Assigns the copies to parts. If there are loops, evenly spaced copies become loops of their own, and the other
  /// copies follow after all loops. Otherwise each part gets at most kOperationsPerPart copies.
  void place_copies() {
    if (program_.instruction_count > Plan::kMostStraight) roll_copies();
    std::uint32_t part = plan_.loops.empty() ? 0 : static_cast<std::uint32_t>(plan_.parts.size());
    const auto count = static_cast<std::uint32_t>(plan_.copies.size());
    for (std::uint32_t begin = 0; begin < count; begin += Plan::kOperationsPerPart, ++part) {
      if (part == plan_.parts.size()) {
        const std::uint32_t end = static_cast<std::uint32_t>(plan_.order.size());
        plan_.parts.push_back({end, end});
      }
      plan_.parts[part].first_copy = begin;
      plan_.parts[part].copy_end = std::min(count, begin + Plan::kOperationsPerPart);
    }
  }

  void roll_copies() {
    std::vector<Plan::Output> left;
    std::ranges::sort(plan_.copies, {}, &Plan::Output::second);
    const auto at = [&](std::size_t k) { return place_of(program_, plan_.slot, plan_.copies[k].first); };
    const auto end = static_cast<std::uint32_t>(plan_.order.size());
    for (std::size_t begin = 0; begin < plan_.copies.size();) {
      std::vector<std::uint32_t> from{at(begin).index}, to{plan_.copies[begin].second};
      const auto fits = [&](const std::vector<std::uint32_t>& places, std::uint32_t next) {
        return places.size() < 2 || next - places.back() == places[1] - places[0];
      };
      std::size_t k = begin + 1;
      for (; k < plan_.copies.size(); ++k) {
        const Place next = at(k);
        if (next.array != at(begin).array || !fits(from, next.index) || !fits(to, plan_.copies[k].second)) break;
        from.push_back(next.index);
        to.push_back(plan_.copies[k].second);
      }
      if (from.size() < kLeastCopies) {
        left.insert(left.end(), plan_.copies.begin() + static_cast<std::ptrdiff_t>(begin),
                    plan_.copies.begin() + static_cast<std::ptrdiff_t>(k));
      } else {
        Loop loop;
        loop.count = static_cast<std::uint32_t>(from.size());
        loop.reads.push_back({Access::at(at(begin).array, from), Loop::kNone});
        loop.writes.push_back({0, Access::at(Array::kOutputs, to)});
        plan_.parts.push_back({end, end, 0, 0, static_cast<std::uint32_t>(plan_.loops.size())});
        plan_.loops.push_back(std::move(loop));
      }
      begin = k;
    }
    plan_.copies = std::move(left);
  }

  const Program& program_;
  std::uint32_t leaves_;
  std::vector<std::uint32_t> place_;    ///< index of each instruction in the order
  std::vector<std::uint32_t> part_of_;  ///< index of each instruction's part
  /// index of the last part that reads the result of each instruction of a straight part
  std::vector<std::uint32_t> last_part_;
  std::vector<Run> found_;  ///< repetitions in the order
  std::vector<RunInUse> runs_;
  std::vector<bool> is_free_;  ///< [slots] whether a slot before or after the values of loops is still free
  Plan plan_;
};

}  // namespace

Plan make_plan(const Program& program) { return Planning(program).make(); }

}  // namespace vinculum::codegen::native
