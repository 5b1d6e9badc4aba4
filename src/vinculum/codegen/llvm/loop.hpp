#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vinculum/codegen/llvm/runs.hpp"
#include "vinculum/codegen/native_abi.hpp"

namespace vinculum::codegen::native {

/// Where the iterations of a loop read or write a number: an array among the arguments of an Entry, and a place for
/// each iteration.
struct Access {
  /// Arguments of Entry. The first input is a number, not an array; its place is 0.
  enum class Array : unsigned { kFirst, kOthers, kConstants, kOutputs, kWorkspace };
  Array array{};
  std::uint32_t first = 0;            ///< place of the first iteration
  std::int64_t step = 0;              ///< difference of places between consecutive iterations
  std::vector<std::uint32_t> places;  ///< [count] one per iteration, if they are not evenly spaced

  /// \param places  [count > 0]
  [[nodiscard]] static Access at(Array array, std::span<const std::uint32_t> places);
  friend bool operator==(const Access&, const Access&) = default;
};

/// A run in compiled form: the operations of one iteration, which accesses other places each time.
struct Loop {
  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct Read {
    Access from;
    /// Instruction of the body whose value in the previous iteration is read; the first iteration reads `from`.
    std::uint32_t carried = kNone;
    friend bool operator==(const Read&, const Read&) = default;
  };
  struct Write {
    std::uint32_t value = 0;  ///< number of a value of the body
    Access to;
    bool is_last = false;  ///< written by the last iteration only
  };

  std::uint32_t count = 0;
  std::vector<Read> reads;  ///< the inputs of the body
  std::vector<double> literals;
  std::vector<Instruction> instructions;
  std::vector<Write> writes;

  /// One iteration as a program, valid as long as the loop exists.
  [[nodiscard]] Program body() const;
};

/// Origin of an operand of a run, the same in every iteration.
struct Wire {
  enum class From : std::uint8_t { kIteration, kIterationBefore, kLiteral, kElsewhere };
  From from = From::kElsewhere;
  std::uint32_t index = 0;  ///< operation within the iteration, or number of the literal
};

/// A run together with the origins of its operands.
struct WiredRun {
  /// \param place  of each instruction in the order.
  WiredRun(const Program& whole, std::span<const std::uint32_t> in_order, std::span<const std::uint32_t> place,
           const Run& what);

  [[nodiscard]] std::uint32_t instruction_of(std::uint32_t iteration, std::uint32_t operation) const {
    return order[run.begin + iteration * run.length + operation];
  }
  [[nodiscard]] const Wire& wire(std::uint32_t operation, std::uint32_t operand) const {
    return wires[3 * operation + operand];
  }
  /// \param slot  place in the workspace of each instruction whose value is read there.   \returns the loop without
  ///   writes.
  [[nodiscard]] Loop loop(std::span<const std::uint32_t> slot) const;

  const Program& program;
  std::span<const std::uint32_t> order;
  Run run;
  std::vector<Wire> wires;  ///< [3 length]
};

/// Where a value is stored that the current part does not compute.   \param slot  place in the workspace of each
/// instruction.
struct Place {
  Access::Array array{};
  std::uint32_t index = 0;
};
[[nodiscard]] Place place_of(const Program& program, std::span<const std::uint32_t> slot, std::uint32_t value);

}  // namespace vinculum::codegen::native
