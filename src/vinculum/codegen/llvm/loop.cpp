#include "vinculum/codegen/llvm/loop.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "vinculum/codegen/llvm/order.hpp"

namespace vinculum::codegen::native {
namespace {

using From = Wire::From;

std::uint32_t first_literal(const Program& program) { return program.input_count + program.constant_count; }

Wire wire_of(const WiredRun& of, std::span<const std::uint32_t> place, std::uint32_t operation, std::uint32_t operand) {
  const Program& program = of.program;
  const Run& run = of.run;
  const std::uint32_t leaves = leaf_count(program);
  const auto value = [&](std::uint32_t iteration) {
    return program.instructions[of.instruction_of(iteration, operation)].operands[operand];
  };
  // The operation of iteration `of_iteration` that computes the value which iteration k reads; kNone if there is none.
  const auto operation_of = [&](std::uint32_t k, std::uint32_t of_iteration) {
    const std::uint32_t v = value(k);
    if (v < leaves) return Loop::kNone;
    const std::uint32_t at = place[v - leaves], begin = run.begin + of_iteration * run.length;
    return at >= begin && at < begin + run.length ? at - begin : Loop::kNone;
  };
  const auto is_same = [&](std::uint32_t first, std::uint32_t back) {
    const std::uint32_t wanted = operation_of(first, first - back);
    if (wanted == Loop::kNone) return false;
    for (std::uint32_t k = first; k < run.count; ++k) {
      if (operation_of(k, k - back) != wanted) return false;
    }
    return true;
  };
  if (is_same(0, 0)) return {From::kIteration, operation_of(0, 0)};
  if (run.count > 1 && is_same(1, 1)) return {From::kIterationBefore, operation_of(1, 0)};
  const std::uint32_t v = value(0);
  if (v < first_literal(program) || v >= leaves) return {};
  for (std::uint32_t k = 1; k < run.count; ++k) {
    if (value(k) != v) return {};
  }
  return {From::kLiteral, v - first_literal(program)};
}

/// Collects the operands of the body, before the number of its leaves is known.
class BodyOperands {
 public:
  std::uint32_t read(Loop::Read read) {
    const auto key = std::tuple(read.from.array, read.from.first, read.from.step, read.carried);
    std::vector<std::uint32_t>& alike = known_[key];
    for (const std::uint32_t r : alike) {
      if (reads[r] == read) return r;
    }
    alike.push_back(static_cast<std::uint32_t>(reads.size()));
    reads.push_back(std::move(read));
    return alike.back();
  }
  std::vector<Loop::Read> reads;

 private:
  std::map<std::tuple<Access::Array, std::uint32_t, std::int64_t, std::uint32_t>, std::vector<std::uint32_t>> known_;
};

}  // namespace

Access Access::at(Array array, std::span<const std::uint32_t> places) {
  Access access{array, places[0], 0, {}};
  if (places.size() > 1) access.step = std::int64_t{places[1]} - places[0];
  for (std::size_t k = 0; k < places.size(); ++k) {
    if (places[k] == access.first + static_cast<std::int64_t>(k) * access.step) continue;
    access.step = 0;
    access.places.assign(places.begin(), places.end());
    break;
  }
  return access;
}

Program Loop::body() const {
  Program program{};
  program.input_count = static_cast<std::uint32_t>(reads.size());
  program.literal_count = static_cast<std::uint32_t>(literals.size());
  program.instruction_count = static_cast<std::uint32_t>(instructions.size());
  program.literals = literals.data();
  program.instructions = instructions.data();
  return program;
}

Place place_of(const Program& program, std::span<const std::uint32_t> slot, std::uint32_t value) {
  if (value < std::min(program.input_count, 1u)) return {Access::Array::kFirst, 0};
  if (value < program.input_count) return {Access::Array::kOthers, value - 1};
  if (value < first_literal(program)) return {Access::Array::kConstants, value - program.input_count};
  // The array of constants begins with the literals.
  if (value < leaf_count(program)) return {Access::Array::kConstants, value - first_literal(program)};
  return {Access::Array::kWorkspace, slot[value - leaf_count(program)]};
}

WiredRun::WiredRun(const Program& whole, std::span<const std::uint32_t> in_order, std::span<const std::uint32_t> place,
                   const Run& what)
    : program(whole), order(in_order), run(what), wires(3 * std::size_t{what.length}) {
  for (std::uint32_t a = 0; a < run.length; ++a) {
    const Instruction& instruction = program.instructions[instruction_of(0, a)];
    for (std::uint32_t k = 0; k < instruction.operand_count; ++k) wires[3 * a + k] = wire_of(*this, place, a, k);
  }
}

Loop WiredRun::loop(std::span<const std::uint32_t> slot) const {
  Loop loop;
  loop.count = run.count;
  BodyOperands operands;
  std::vector<std::uint32_t> places(run.count), literal_of;
  const auto elsewhere = [&](std::uint32_t a, std::uint32_t k) {
    Access::Array array{};
    for (std::uint32_t i = 0; i < run.count; ++i) {
      const Place at = place_of(program, slot, program.instructions[instruction_of(i, a)].operands[k]);
      array = at.array;
      places[i] = at.index;
    }
    return operands.read({Access::at(array, places), Loop::kNone});
  };
  const auto literal = [&](std::uint32_t index) {
    const auto known = std::find(literal_of.begin(), literal_of.end(), index);
    const auto number = static_cast<std::uint32_t>(known - literal_of.begin());
    if (known == literal_of.end()) literal_of.push_back(index);
    return number;
  };
  std::vector<std::uint32_t> numbers(3 * std::size_t{run.length});
  for (std::uint32_t a = 0; a < run.length; ++a) {
    loop.instructions.push_back(program.instructions[instruction_of(0, a)]);
    for (std::uint32_t k = 0; k < loop.instructions[a].operand_count; ++k) {
      const Wire& from = wire(a, k);
      std::uint32_t& number = numbers[3 * a + k];
      switch (from.from) {
        case From::kIteration: number = from.index; break;
        case From::kLiteral: number = literal(from.index); break;
        case From::kElsewhere: number = elsewhere(a, k); break;
        case From::kIterationBefore: {
          const Place at = place_of(program, slot, loop.instructions[a].operands[k]);
          number = operands.read({{at.array, at.index, 0, {}}, from.index});
        }
      }
    }
  }
  loop.reads = std::move(operands.reads);
  for (const std::uint32_t l : literal_of) loop.literals.push_back(program.literals[l]);
  const auto reads = static_cast<std::uint32_t>(loop.reads.size());
  const auto leaves = reads + static_cast<std::uint32_t>(loop.literals.size());
  for (std::uint32_t a = 0; a < run.length; ++a) {
    Instruction& instruction = loop.instructions[a];
    for (std::uint32_t k = 0; k < instruction.operand_count; ++k) {
      const From from = wire(a, k).from;
      instruction.operands[k] = numbers[3 * a + k] + (from == From::kIteration ? leaves
                                                      : from == From::kLiteral ? reads
                                                                               : 0);
    }
  }
  return loop;
}

}  // namespace vinculum::codegen::native
