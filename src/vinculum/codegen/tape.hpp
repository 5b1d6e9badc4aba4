#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "vinculum/codegen/kernel.hpp"
#include "vinculum/expr/operation.hpp"
#include "vinculum/expr/spline.hpp"

namespace vinculum::codegen {

/// Where an instruction reads an operand: an array, and the index in it.
struct Operand {
  enum class Space : std::uint8_t { kNone, kInput, kConstant, kSlot };
  Space space = Space::kNone;
  std::uint32_t index = 0;
  friend bool operator==(const Operand&, const Operand&) = default;
};

/// `slot[target] = op(operands)`. The operation is never kConstant or kSymbol. It is kPower only if the exponent is not
/// a literal, or if `expr::find_power_plan` finds no plan for it. All other powers are replaced by products in the
/// order of evaluate_power.
struct Instruction {
  expr::Op op{};
  std::uint8_t derivative_order = 0;  ///< used by kTable only: order of the spline's derivative
  std::uint32_t table = 0;            ///< for kTable only: index into Tape::splines
  std::uint32_t target = 0;
  std::array<Operand, 3> operands{};
};

/// Straight-line code over slots, which store values. A slot is written before it is read, and reused when its value is
/// no longer needed. Slots of `outputs` are not reused, so an output is the value last written to its slot.
struct Program {
  std::vector<Instruction> instructions;
  std::vector<Operand> outputs;
  std::size_t slot_count = 0;
};

/// Assigns slots so that a slot is reused after the last use of its value.
/// \pre every instruction writes its own slot, whose number is the index of the instruction
void share_slots(Program& program);

/// Version of the meaning of tapes. It is part of the hash. Increase it when the bits of an operation change.
inline constexpr std::uint64_t kTapeVersion = 2;

/// Expressions as straight-line code in two programs. The prologue computes, once, the largest subexpressions that
/// depend only on parameters. The main program reads the array of constants: the literals, followed by the outputs of
/// the prologue.
struct Tape {
  std::string name;
  std::size_t input_count = 0;
  std::size_t parameter_count = 0;
  std::vector<double> literals;
  Program prologue;  ///< kInput reads parameters, kConstant reads literals
  Program main;      ///< kInput reads inputs, kConstant reads constants
  std::vector<std::shared_ptr<const expr::Spline>> splines;

  [[nodiscard]] std::size_t constant_count() const { return literals.size() + prologue.outputs.size(); }
  /// 128-bit hash of everything that determines results; the name is not included. It is equal in every process and on
  /// every machine.
  [[nodiscard]] std::array<std::uint64_t, 2> content_hash() const;
};

/// Converts the expressions to a tape. Unused code is removed and slots are reused. Operations are in the order of the
/// graph or depth-first from the outputs, whichever needs fewer slots.
/// \pre all symbols in spec.outputs are inputs or parameters; otherwise InternalError names the symbol.
/// \cost linear in the size of the expressions, plus one word per node of their graph
[[nodiscard]] Tape make_tape(const KernelSpec& spec);

}  // namespace vinculum::codegen
