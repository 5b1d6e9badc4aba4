#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vinculum/codegen/llvm/runs.hpp"
#include "vinculum/codegen/native_abi.hpp"

namespace vinculum::codegen::native {

/// Where the iterations of a loop read or write a number: in one of the arguments that an entry is given.
struct Access {
  /// Arguments of Entry; the first input is no array but the number itself, at place 0.
  enum class Array : unsigned { kFirst, kOthers, kConstants, kOutputs, kWorkspace };
  Array array{};
  std::uint32_t first = 0;            ///< place of the first iteration's
  std::int64_t step = 0;              ///< from one iteration's to the next one's
  std::vector<std::uint32_t> places;  ///< [count] one an iteration, where they are not evenly spaced

  /// \param places  [count > 0]
  [[nodiscard]] static Access at(Array array, std::span<const std::uint32_t> places);
  friend bool operator==(const Access&, const Access&) = default;
};

/// A run as it is compiled: the operations of one iteration, which read and write other places each time.
struct Loop {
  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct Read {
    Access from;
    /// An instruction of the body: iterations behind the first read the value that it had in the one before.
    std::uint32_t carried = kNone;
    friend bool operator==(const Read&, const Read&) = default;
  };
  struct Write {
    std::uint32_t value = 0;  ///< of the body
    Access to;
    bool is_last = false;  ///< of the last iteration alone
  };

  std::uint32_t count = 0;
  std::vector<Read> reads;  ///< the inputs of the body
  std::vector<double> literals;
  std::vector<Instruction> instructions;
  std::vector<Write> writes;

  /// One iteration, valid as long as the loop is.
  [[nodiscard]] Program body() const;
};

/// How an operand of an operation of a run is had in every iteration.
struct Wire {
  enum class From : std::uint8_t { kIteration, kIterationBefore, kLiteral, kElsewhere };
  From from = From::kElsewhere;
  std::uint32_t index = 0;  ///< operation of the iteration; number of the literal
};

/// A run and its wires.
struct WiredRun {
  /// \param place  of each instruction in the order
  WiredRun(const Program& whole, std::span<const std::uint32_t> in_order, std::span<const std::uint32_t> place,
           const Run& what);

  [[nodiscard]] std::uint32_t instruction_of(std::uint32_t iteration, std::uint32_t operation) const {
    return order[run.begin + iteration * run.length + operation];
  }
  [[nodiscard]] const Wire& wire(std::uint32_t operation, std::uint32_t operand) const {
    return wires[3 * operation + operand];
  }
  /// \param slot  place in the workspace of each instruction whose value others read there.   \returns the loop
  /// without writes.
  [[nodiscard]] Loop loop(std::span<const std::uint32_t> slot) const;

  const Program& program;
  std::span<const std::uint32_t> order;
  Run run;
  std::vector<Wire> wires;  ///< [3 length]
};

/// Where a value lies that is no result of the running part.   \param slot  as above
struct Place {
  Access::Array array{};
  std::uint32_t index = 0;
};
[[nodiscard]] Place place_of(const Program& program, std::span<const std::uint32_t> slot, std::uint32_t value);

}  // namespace vinculum::codegen::native
