#include "vinculum/codegen/native_program.hpp"

#include "vinculum/expr/operation.hpp"

namespace vinculum::codegen {

// Constants, which begin with the literals, keep their numbers. A second copy of the literals follows them, with
// numbers of its own.
NativeProgram::NativeProgram(const Tape& tape)
    : input_count_(static_cast<std::uint32_t>(tape.input_count)),
      constant_count_(static_cast<std::uint32_t>(tape.constant_count())),
      literals_(tape.literals) {
  const auto literal_count = static_cast<std::uint32_t>(literals_.size());
  std::vector<std::uint32_t> in_slot(tape.main.slot_count, 0);
  const auto number = [&](const Operand& operand) {
    switch (operand.space) {
      case Operand::Space::kInput: return operand.index;
      case Operand::Space::kConstant:
        return input_count_ + (operand.index < literal_count ? constant_count_ : 0u) + operand.index;
      case Operand::Space::kSlot: return in_slot[operand.index];
      case Operand::Space::kNone: break;
    }
    return 0u;
  };
  std::uint32_t next = input_count_ + constant_count_ + literal_count;
  instructions_.reserve(tape.main.instructions.size());
  for (const Instruction& from : tape.main.instructions) {
    native::Instruction to;
    to.op = from.op;
    to.derivative_order = from.derivative_order;
    to.table = from.table;
    to.operand_count = static_cast<std::uint16_t>(expr::operation_info(from.op).arity);
    for (std::size_t k = 0; k < to.operand_count; ++k) to.operands[k] = number(from.operands[k]);
    instructions_.push_back(to);
    in_slot[from.target] = next++;
  }
  for (const Operand& output : tape.main.outputs) outputs_.push_back(number(output));
}

native::Program NativeProgram::view() const {
  native::Program program{};
  program.input_count = input_count_;
  program.constant_count = constant_count_;
  program.literal_count = static_cast<std::uint32_t>(literals_.size());
  program.instruction_count = static_cast<std::uint32_t>(instructions_.size());
  program.output_count = static_cast<std::uint32_t>(outputs_.size());
  program.literals = literals_.data();
  program.instructions = instructions_.data();
  program.outputs = outputs_.data();
  return program;
}

void NativeProgram::add_to(Fingerprint& fingerprint) const {
  fingerprint.add(std::uint64_t{input_count_} << 32 | constant_count_);
  fingerprint.add_array(literals_.data(), literals_.size());
  fingerprint.add_array(instructions_.data(), instructions_.size());
  fingerprint.add_array(outputs_.data(), outputs_.size());
}

}  // namespace vinculum::codegen
