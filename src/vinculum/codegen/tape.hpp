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

/// Where an instruction reads.
struct Operand {
  enum class Space : std::uint8_t { kNone, kInput, kConstant, kSlot };
  Space space = Space::kNone;
  std::uint32_t index = 0;
  friend bool operator==(const Operand&, const Operand&) = default;
};

/// slot[target] = op(operands). Never kConstant or kSymbol; kPower only where `expr::find_power_plan` finds no plan for
/// a literal exponent (the others are unfolded into products, in the order that evaluate_power prescribes).
struct Instruction {
  expr::Op op{};
  std::uint8_t derivative_order = 0;  ///< kTable
  std::uint32_t table = 0;            ///< kTable: index into Tape::splines
  std::uint32_t target = 0;
  std::array<Operand, 3> operands{};
};

/// Straight-line code over value slots. A slot is written before it is read and again as soon as its value is no longer
/// needed, except that values of `outputs` keep theirs to the end: the last write of a slot is the one they mean.
struct Program {
  std::vector<Instruction> instructions;
  std::vector<Operand> outputs;
  std::size_t slot_count = 0;
};

/// Gives every value a slot that is free again behind its last reader.
/// \pre every instruction writes a slot of its own: its place among them.
void share_slots(Program& program);

/// Version of the tape's meaning, part of the hash: bump when an operation's bits change.
inline constexpr std::uint64_t kTapeVersion = 2;

/// Expressions as flat code in two parts. The prologue computes what depends on parameters only (the largest such
/// subexpressions), once; the main program reads it, with the literals, from the array of constants:
/// constants = literals, then the outputs of the prologue.
struct Tape {
  std::string name;
  std::size_t input_count = 0;
  std::size_t parameter_count = 0;
  std::vector<double> literals;
  Program prologue;  ///< kInput reads parameters, kConstant reads literals
  Program main;      ///< kInput reads inputs, kConstant reads constants
  std::vector<std::shared_ptr<const expr::Spline>> splines;

  [[nodiscard]] std::size_t constant_count() const { return literals.size() + prologue.outputs.size(); }
  /// 128 bits over everything that determines results (not the name). The same in every process and on every machine.
  [[nodiscard]] std::array<std::uint64_t, 2> content_hash() const;
};

/// Flattens the expressions: dead code is gone, slots are reused, the order (that of the graph, or depth first from the
/// outputs) is the one that needs fewer slots.
/// \pre all symbols in spec.outputs are inputs or parameters; else InternalError names the symbol.
/// \cost linear in the expressions (and in the size of their graph, for one word a node).
[[nodiscard]] Tape make_tape(const KernelSpec& spec);

}  // namespace vinculum::codegen
