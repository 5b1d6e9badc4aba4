#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vinculum/codegen/llvm/runs.hpp"
#include "vinculum/codegen/native_abi.hpp"

namespace vinculum::codegen::native {

/// Where the iterations of a loop read or write a number: one of the arrays among the arguments of an Entry, and an
/// index in it for each iteration.
struct Access {
  /// Arguments of an Entry. The first input is a number and not an array; its index is 0.
  enum class Array : unsigned { kFirst, kOthers, kConstants, kOutputs, kWorkspace };
  Array array{};
  std::uint32_t first = 0;            ///< index in the first iteration
  std::int64_t step = 0;              ///< difference of the indices of consecutive iterations
  std::vector<std::uint32_t> places;  ///< [count] index in each iteration, if the indices are not evenly spaced

  /// \param places  [count > 0] index in each iteration
  [[nodiscard]] static Access at(Array array, std::span<const std::uint32_t> places);
  friend bool operator==(const Access&, const Access&) = default;
};

/// A run (runs.hpp) in compiled form: the operations of one iteration, which read and write at other indices each time.
struct Loop {
  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct Read {
    Access from;
    /// Instruction of the body whose value in the previous iteration is read. The first iteration reads `from`
    std::uint32_t carried = kNone;
    friend bool operator==(const Read&, const Read&) = default;
  };
  struct Write {
    std::uint32_t value = 0;  ///< number of a value of the body
    Access to;
    bool is_last = false;  ///< only the last iteration writes it
  };

  std::uint32_t count = 0;
  std::vector<Read> reads;  ///< the inputs of the body, that is, of one iteration
  std::vector<double> literals;
  std::vector<Instruction> instructions;
  std::vector<Write> writes;

  /// One iteration as a program; valid as long as the loop exists.
  [[nodiscard]] Program body() const;
};

/// Origin of an operand of a run; the same in every iteration.
struct Wire {
  enum class From : std::uint8_t { kIteration, kIterationBefore, kLiteral, kElsewhere };
  From from = From::kElsewhere;
  std::uint32_t index = 0;  ///< index of the operation within the iteration, or number of the literal
};

/// A run with the origins of its operands.
struct WiredRun {
  /// \param place  index in the order, for each instruction
  WiredRun(const Program& whole, std::span<const std::uint32_t> in_order, std::span<const std::uint32_t> place,
           const Run& what);

  [[nodiscard]] std::uint32_t instruction_of(std::uint32_t iteration, std::uint32_t operation) const {
    return order[run.begin + iteration * run.length + operation];
  }
  [[nodiscard]] const Wire& wire(std::uint32_t operation, std::uint32_t operand) const {
    return wires[3 * operation + operand];
  }
  /// The loop without its writes.
  /// \param slot  for each instruction whose value is read from the workspace, its index there
  [[nodiscard]] Loop loop(std::span<const std::uint32_t> slot) const;

  const Program& program;
  std::span<const std::uint32_t> order;
  Run run;
  std::vector<Wire> wires;  ///< [3 length] three operands per operation of an iteration
};

/// Where a value that the current part does not compute is stored: an array, and the index in it.
struct Place {
  Access::Array array{};
  std::uint32_t index = 0;
};
[[nodiscard]] Place place_of(const Program& program, std::span<const std::uint32_t> slot, std::uint32_t value);

}  // namespace vinculum::codegen::native
