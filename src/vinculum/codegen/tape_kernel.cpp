#include "vinculum/codegen/tape_kernel.hpp"

#include <cmath>
#include <cstring>
#include <utility>

#include "vinculum/base/contract.hpp"

namespace vinculum::codegen {
namespace {

using expr::Op;

// Places in the table of labels in ProgramRunner::run.
enum Code : std::uint8_t { kAdd, kSubtract, kMultiply, kDivide, kNegate, kSquareRoot, kTable, kOther, kEnd };

Code code_of(Op op) {
  switch (op) {
    case Op::kAdd: return kAdd;
    case Op::kSubtract: return kSubtract;
    case Op::kMultiply: return kMultiply;
    case Op::kDivide: return kDivide;
    case Op::kNegate: return kNegate;
    case Op::kSquareRoot: return kSquareRoot;
    case Op::kTable: return kTable;
    default: return kOther;
  }
}

class TapeKernel final : public Kernel {
 public:
  explicit TapeKernel(const Tape& tape)
      : input_count_(tape.input_count),
        output_count_(tape.main.outputs.size()),
        constant_count_(tape.constant_count()),
        operation_count_(tape.main.instructions.size()),
        preparation_(tape),
        main_(tape.main, tape.input_count, tape.constant_count(), tape.splines) {}

  void evaluate_at(double first, const double* others, const double* constants, double* outputs,
                   double* workspace) const noexcept override {
    main_.run(first, others, constants, outputs, workspace);
  }
  [[nodiscard]] std::vector<double> prepare(std::span<const double> parameters) const override {
    return preparation_.run(parameters);
  }
  [[nodiscard]] std::size_t input_count() const override { return input_count_; }
  [[nodiscard]] std::size_t output_count() const override { return output_count_; }
  [[nodiscard]] std::size_t constant_count() const override { return constant_count_; }
  [[nodiscard]] std::size_t workspace_size() const override { return main_.workspace_size(); }
  [[nodiscard]] std::size_t operation_count() const override { return operation_count_; }

 private:
  std::size_t input_count_, output_count_, constant_count_, operation_count_;
  Preparation preparation_;
  ProgramRunner main_;
};

}  // namespace

// The workspace holds inputs, constants, slots, one after the other: one address for every operand.
ProgramRunner::ProgramRunner(const Program& program, std::size_t input_count, std::size_t constant_count,
                             std::vector<std::shared_ptr<const expr::Spline>> splines)
    : input_count_(input_count),
      constant_count_(constant_count),
      workspace_size_(input_count + constant_count + program.slot_count),
      splines_(std::move(splines)) {
  const std::size_t first_slot = input_count + constant_count;
  const auto place = [&](const Operand& operand) {
    std::size_t base = 0;
    if (operand.space == Operand::Space::kConstant) base = input_count;
    if (operand.space == Operand::Space::kSlot) base = first_slot;
    return static_cast<std::uint32_t>(base + operand.index);
  };
  for (const Instruction& instruction : program.instructions) {
    Step step;
    step.code = code_of(instruction.op);
    step.op = instruction.op;
    step.derivative_order = instruction.derivative_order;
    step.target = static_cast<std::uint32_t>(first_slot + instruction.target);
    step.first = place(instruction.operands[0]);
    step.second = instruction.op == Op::kTable ? instruction.table : place(instruction.operands[1]);
    step.third = place(instruction.operands[2]);
    steps_.push_back(step);
  }
  steps_.push_back({kEnd, {}, 0, 0, 0, 0, 0});
  for (const Operand& output : program.outputs) outputs_.push_back(place(output));
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"  // labels as values: GCC and Clang have them, the standard does not

void ProgramRunner::run(double first, const double* others, const double* constants, double* outputs,
                        double* workspace) const noexcept {
  double* const w = workspace;
  if (input_count_ > 0) w[0] = first;
  if (input_count_ > 1) std::memcpy(w + 1, others, (input_count_ - 1) * sizeof(double));
  if (constant_count_ > 0) std::memcpy(w + input_count_, constants, constant_count_ * sizeof(double));
  // One jump an operation, at its end: the processor predicts each from the operation before it (measured: half the
  // time of a switch in a loop, above a few thousand operations).
  static const void* const kLabels[] = {&&add,         &&subtract, &&multiply, &&divide, &&negate,
                                        &&square_root, &&table,    &&other,    &&end};
  const Step* step = steps_.data();
#define VINCULUM_NEXT goto* kLabels[(++step)->code]
  goto* kLabels[step->code];
add:
  w[step->target] = w[step->first] + w[step->second];
  VINCULUM_NEXT;
subtract:
  w[step->target] = w[step->first] - w[step->second];
  VINCULUM_NEXT;
multiply:
  w[step->target] = w[step->first] * w[step->second];
  VINCULUM_NEXT;
divide:
  w[step->target] = w[step->first] / w[step->second];
  VINCULUM_NEXT;
negate:
  w[step->target] = -w[step->first];
  VINCULUM_NEXT;
square_root:
  w[step->target] = std::sqrt(w[step->first]);
  VINCULUM_NEXT;
table:
  w[step->target] = splines_[step->second]->evaluate(w[step->first], step->derivative_order);
  VINCULUM_NEXT;
other:
  w[step->target] = expr::evaluate_operation(step->op, w[step->first], w[step->second], w[step->third]);
  VINCULUM_NEXT;
end:
#undef VINCULUM_NEXT
  for (std::size_t i = 0; i < outputs_.size(); ++i) outputs[i] = w[outputs_[i]];
}

#pragma GCC diagnostic pop

Preparation::Preparation(const Tape& tape)
    : parameter_count_(tape.parameter_count),
      literals_(tape.literals),
      hoisted_count_(tape.prologue.outputs.size()),
      prologue_(tape.prologue, tape.parameter_count, tape.literals.size(), tape.splines) {}

std::vector<double> Preparation::run(std::span<const double> parameters) const {
  VINCULUM_EXPECTS(parameters.size() == parameter_count_);
  std::vector<double> constants(literals_);
  constants.resize(literals_.size() + hoisted_count_);
  std::vector<double> workspace(prologue_.workspace_size());
  const bool has_any = !parameters.empty();
  prologue_.run(has_any ? parameters[0] : 0.0, has_any ? parameters.data() + 1 : nullptr, literals_.data(),
                constants.data() + literals_.size(), workspace.data());
  return constants;
}

std::shared_ptr<const Kernel> make_tape_kernel(const Tape& tape) { return std::make_shared<TapeKernel>(tape); }

}  // namespace vinculum::codegen
